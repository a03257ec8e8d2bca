import FlowKit
import HeadlessUIKit
import Testing

@testable import FlowAnalytics

/// What the names of hosting controllers say, and which of SwiftUI's controllers are no screens.
@MainActor
@Suite struct HostedViewTests {
    @Test(arguments: [
        ("UIHostingController<HomeView>", "HomeView"),
        ("SwiftUI.UIHostingController<Shop.HomeView>", "Shop.HomeView"),
        ("SwiftUI.UIHostingController<SwiftUI.ModifiedContent<Shop.HomeView, Shop.Theme>>", "Shop.HomeView"),
        ("SwiftUI.UIHostingController<Swift.Optional<Shop.HomeView>>", "Shop.HomeView"),
        (
            "SwiftUI.UIHostingController<SwiftUI.NavigationStack<SwiftUI.NavigationPath, Shop.HomeView>>",
            "Shop.HomeView"
        ),
        ("UIHostingController<NavigationStack<Array<Int>, Group<HomeView>>>", "HomeView"),
        ("UIHostingController<Shop.Detail<Swift.Int>>", "Shop.Detail"),
    ])
    func `a hosting controller is named after its view, past the views of SwiftUI around it`(host: String, view: String)
    {
        #expect(HostedView.root(ofHost: host).map(String.init) == view)
    }

    @Test(arguments: [
        "UIHostingController<AnyView>", "UIHostingController<ModifiedContent<AnyView, RootModifier>>",
        "SwiftUI.UIHostingController<SwiftUI.Text>", "UIHostingController<TupleView<(HomeView, HomeView)>>",
        "UIHostingController<(HomeView, HomeView)>", "UIHostingController<EmptyView>",
        "SwiftUI.UIHostingController<SwiftUI.TabView<Swift.Int, Shop.Tabs>>", "UIHostingController<",
        "HomeViewController",
        "SwiftUI.UIHostingController<SwiftUICore._ConditionalContent<Shop.A, Shop.B>>",
    ])
    func `views of SwiftUI give no name`(host: String) {
        #expect(HostedView.root(ofHost: host) == nil)
    }

    @Test(arguments: [
        ("SwiftUI.NavigationStackHostingController<SwiftUI.AnyView>", true),
        ("SwiftUI.PresentationHostingController<SwiftUI.AnyView>", true),
        ("SwiftUI.SomethingOfTheNextRelease", true),
        ("SwiftUI.UIHostingController<SwiftUI.AnyView>", false), ("Shop.HomeViewController", false),
    ])
    func `every other controller of SwiftUI is its own`(type: String, isOfSwiftUI: Bool) {
        #expect(HostedView.isOfSwiftUI(type) == isOfSwiftUI)
    }

    @Test func `a class of the app that inherits from a hosting controller is one`() {
        #expect(HostedView.isHosting(UIHostingController<Int>()))
        #expect(HostedView.isHosting(ShopHost()))
        #expect(!HostedView.isHosting(HomeViewController()))
    }

    @Test func `the private controllers of a sheet and a stack of SwiftUI are no screens`() {
        let app = TestApp()
        app.flow.present(app.home, animated: false)
        let modal = app.modal(on: app.stack)
        modal.present(PresentationHostingController<Int>(), animated: false)
        modal.dismiss(animated: false)
        app.stack.pushViewController(NavigationStackHostingController<Int>(), animated: false)
        #expect(app.log.lines == ["home < -: root"])
    }
}

private class UIHostingController<Content>: UIViewController {}
private final class ShopHost: UIHostingController<Int> {}
private final class PresentationHostingController<Content>: UIViewController {}
private final class NavigationStackHostingController<Content>: UIViewController {}
