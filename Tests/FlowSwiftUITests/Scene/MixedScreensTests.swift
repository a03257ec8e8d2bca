import EventTracking
import FlowAnalytics
import FlowKit
import FlowTimingTestSupport
import Foundation
import HeadlessSwiftUI
import HeadlessUIKit
import Testing

@testable import FlowSwiftUI

private final class HelpViewController: UIViewController {}
private final class HomeViewController: UIViewController {}
private struct ProductView: View {
    var body: some View { Text("") }
}
private final class CheckoutHost: UIHostingController<ProductView>, ScreenNamed {
    let screenName = "checkout"
}
private final class PaywallHost: UIHostingController<ProductView>, PaywallScreen {
    var presentation: Presentation<Source>?
}
// SwiftUI's own controllers have these names.
private final class NavigationStackHostingController<Content>: UIViewController {}
private final class UIKitNavigationController: UINavigationController {}

/// UIKit and SwiftUI in one app are one order of screens.
@MainActor
@Suite(.eachTiming) struct MixedScreensTests {
    @Test func `a controller over views of SwiftUI follows them, and they are current again after it`() async {
        let root = UIHostingController(rootView: Text(""))
        let scene = TestScene(root: root)
        let home = scene.view("home")
        await scene.turn()
        let modal = root.modalFlow.tracked(by: scene.screens)
        modal.present(HelpViewController(), animated: false)
        await scene.turn()
        modal.dismiss(animated: false)
        await scene.turn()
        withExtendedLifetime(home) {}
        #expect(scene.log.lines == ["home < -: root", "help < home: present", "home < help: dismiss"])
    }

    @Test func `a hosting controller that a flow shows is no screen if its views are`() async {
        let stack = UINavigationController()
        let scene = TestScene(root: stack)
        let flow = stack.navigationFlow.tracked(by: scene.screens)
        flow.present(HomeViewController(), animated: false)
        await scene.turn()
        flow.present(UIHostingController(rootView: ProductView()), animated: false)
        let product = scene.view("item")
        await scene.turn()
        withExtendedLifetime(product) {}
        #expect(scene.log.lines == ["home < -: root", "item < home: present"])
        flow.dismiss(animated: false)
        await scene.turn()
        #expect(scene.log.lines.last == "home < item: dismiss")
    }

    @Test func `a hosting controller none of whose views is a screen is one`() async {
        let stack = UINavigationController()
        let scene = TestScene(root: stack)
        let flow = stack.navigationFlow.tracked(by: scene.screens)
        flow.present(HomeViewController(), animated: false)
        flow.present(UIHostingController(rootView: ProductView()), animated: false)
        await scene.turn()
        #expect(scene.log.lines == ["home < -: root", "product < home: present"])
    }

    @Test func `a hosting controller with a name of its own is the screen, whatever is in it`() async {
        let stack = UINavigationController()
        let scene = TestScene(root: stack)
        let flow = stack.navigationFlow.tracked(by: scene.screens)
        flow.present(HomeViewController(), animated: false)
        await scene.turn()
        flow.present(CheckoutHost(rootView: ProductView()), animated: false)
        let inner = scene.view("inner")
        await scene.turn()
        withExtendedLifetime(inner) {}
        #expect(scene.log.lines == ["home < -: root", "checkout < home: present"])
    }

    @Test func `a paywall in a hosting controller keeps its source with a stack of SwiftUI inside`() async {
        let stack = UINavigationController()
        let scene = TestScene(root: stack)
        stack.navigationFlow.tracked(by: scene.screens).present(HomeViewController(), animated: false)
        let paywalls = PaywallAttribution<Source>(scene.screens, ids: .counting("p"))
        let paywall = PaywallHost(rootView: ProductView())
        let inner = UIKitNavigationController(rootViewController: NavigationStackHostingController<Text>())
        paywall.addChild(inner)
        paywall.view.addSubview(inner.view)
        inner.didMove(toParent: paywall)
        let modal = stack.modalFlow.tracked(by: scene.screens).attributed(to: .home, by: paywalls)
        modal.present(paywall, animated: false)
        await scene.turn()
        modal.dismiss(animated: false)
        await scene.turn()
        #expect(
            scene.log.lines == [
                "home < -: root", "paywall_host < home: present [home p-1]", "paywall_close: dismiss [home p-1]",
                "home < paywall_host: dismiss",
            ]
        )
    }

    @Test func `the controllers of a NavigationStack are never screens`() async {
        let root = UIHostingController(rootView: ProductView())
        let scene = TestScene(root: root)
        let inner = UIKitNavigationController(rootViewController: NavigationStackHostingController<Text>())
        root.addChild(inner)
        root.view.addSubview(inner.view)
        inner.didMove(toParent: root)
        let home = scene.view("home")
        await scene.turn()
        inner.pushViewController(NavigationStackHostingController<Text>(), animated: false)
        let detail = scene.view("detail")
        home.disappear()
        await scene.turn()
        let modal = root.modalFlow.tracked(by: scene.screens)
        modal.present(HelpViewController(), animated: false)
        await scene.turn()
        withExtendedLifetime((home, detail)) {}
        #expect(
            scene.log.lines == ["home < -: root", "detail < home: present", "help < detail: present"]
        )
    }

    @Test func `views that appear in the background are no screens`() async {
        let scene = TestScene()
        let home = scene.view("home")
        await scene.turn()
        let system = HeadlessSystem(of: scene.application)
        system.enterBackground()
        let offer = scene.view("offer")
        await scene.turn()
        offer.disappear()
        await scene.turn()
        system.enterForeground()
        await scene.turn()
        withExtendedLifetime(home) {}
        #expect(scene.log.lines == ["home < -: root"])
    }

    @Test func `each window has its own screens`() async {
        let scene = TestScene()
        let other = UIWindow(frame: .zero)
        other.rootViewController = UIHostingController(rootView: Text(""))
        other.makeKeyAndVisible()
        let second = SceneContext(scene: SceneBox().scene(of: scene.analytics), paywalls: scene.analytics.paywalls)
        second.scene.window = other
        let home = scene.view("home")
        await scene.turn()
        let list = ScreenBox()
        list.appear(in: second, as: ScreenPlace("list"), at: ScreenPosition())
        await scene.turn()
        let detail = scene.view("detail")
        await scene.turn()
        withExtendedLifetime((home, list, detail, other)) {}
        #expect(scene.log.lines == ["home < -: root", "list < -: root", "detail < home: present"])
    }
}
