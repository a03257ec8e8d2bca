import EventTracking
import FlowKit
import HeadlessUIKit
import Testing

@testable import FlowAnalytics

@MainActor
@Suite struct ClassNamesTests {
    let app = TestApp()

    @Test func `a name that says nothing is that of its namespace`() {
        app.flow.present(Home.ViewController(), animated: false)
        app.flow.present(Profile.ViewController(), animated: false)
        app.flow.present(UIHostingController<Home.ContentView>(), animated: false)
        app.flow.present(UIHostingController<ModifiedContent<Profile.ContentView, Int>>(), animated: false)
        #expect(app.log.events.map(\.screen) == ["home", "profile", "home_content", "profile_content"])
    }

    @Test func `two classes with one name have two, and are found`() {
        app.flow.present(Home.DetailViewController(), animated: false)
        app.flow.present(Profile.DetailViewController(), animated: false)
        app.flow.present(Home.DetailViewController(), animated: false)
        #expect(app.log.events.map(\.screen) == ["detail", "profile_detail", "detail"])
        #if DEBUG
        #expect(
            app.screens.audit().findings == [
                .sharedClassName(
                    first: "\(String(reflecting: Home.DetailViewController.self))",
                    second: "\(String(reflecting: Profile.DetailViewController.self))"
                )
            ]
        )
        #expect("\(app.screens.audit())".contains("have one name"))
        #endif
    }

    @Test func `two classes called ViewController are found`() {
        app.flow.present(Home.ViewController(), animated: false)
        app.flow.present(Profile.ViewController(), animated: false)
        #if DEBUG
        #expect(app.screens.audit().findings.count == 1)
        #endif
    }

    @Test func `screens that the app names are not found`() {
        let app = TestApp(naming: ScreenNaming { $0 is Profile.DetailViewController ? "offer" : nil })
        app.flow.present(Home.DetailViewController(), animated: false)
        app.flow.present(Profile.DetailViewController(), animated: false)
        #expect(app.log.events.map(\.screen) == ["detail", "offer"])
        #if DEBUG
        #expect(app.screens.audit().findings.isEmpty)
        #endif
    }

    @Test(
        arguments: [
            ("App.Home.ViewController", "home"), ("App.ViewController", nil), ("ViewController", nil),
            ("App.Shop.Cart.ViewController", "shop_cart"), ("App.(unknown context at $7f).ViewController", nil),
            ("SwiftUI.UIHostingController<App.Home.ContentView>", "home"),
            ("SwiftUI.UIHostingController<SwiftUI.ModifiedContent<App.Home.ContentView, App.Theme.Modifier>>", "home"),
            ("SwiftUI.UIHostingController<App.ContentView>", nil), ("SwiftUI.UIHostingController<", nil),
        ] as [(String, String?)]
    )
    func `the namespace is what stands between the module and the type`(full: String, namespace: String?) {
        #expect(ClassNames.namespace(of: full) == namespace)
    }
}

private enum Home {
    final class ViewController: UIViewController {}
    final class DetailViewController: UIViewController {}
    struct ContentView {}
}

private enum Profile {
    final class ViewController: UIViewController {}
    final class DetailViewController: UIViewController {}
    struct ContentView {}
}

private final class UIHostingController<Content>: UIViewController {}
private struct ModifiedContent<Content, Modifier> {}
