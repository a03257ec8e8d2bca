import FlowAnalytics
import FlowKit
import Foundation
import HeadlessSwiftUI
import HeadlessUIKit
import Testing

@testable import FlowSwiftUI

private final class HelpViewController: UIViewController {}

/// An app whose screens are of SwiftUI and of UIKit.
@MainActor
@Suite struct MixedShopTests {
    @Test(arguments: Behavior.all)
    func `a controller covers a stack of SwiftUI, and the stack goes on after it`(behavior: Behavior) async throws {
        let app = HostedApp(Shop(), in: behavior.release, animates: behavior.animates)
        await app.tap("Tea")
        let root = try #require(app.scene.window.rootViewController)
        let modal = root.modalFlow.tracked(by: app.scene.screens)
        modal.present(HelpViewController(), animated: false)
        await app.scene.turn()
        modal.dismiss(animated: false)
        await app.scene.turn()
        await app.act { $0.goBack() }
        #expect(
            app.lines == [
                "home < -: root", "product < home: present", "help < product: present",
                "product < help: dismiss", "home < product: back",
            ]
        )
    }

    @Test(arguments: Behavior.all)
    func `a stack of SwiftUI on a controller of UIKit`(behavior: Behavior) async {
        let stack = UINavigationController()
        let scene = TestScene(root: stack)
        let flow = stack.navigationFlow.tracked(by: scene.screens)
        flow.present(HelpViewController(), animated: false)
        await scene.turn()
        let shop = UIHostingController(rootView: Text(""))
        flow.present(shop, animated: false)
        let host = HeadlessHost(Shop().tracked(by: scene.analytics), in: shop, release: behavior.release)
        await scene.turn()
        host.tap("Upgrade")
        await scene.turn()
        host.tap("Close")
        await scene.turn()
        flow.dismiss(animated: false)
        await scene.turn()
        #expect(
            scene.log.lines == [
                "help < -: root", "home < help: present", "paywall < home: present [home p-1]",
                "paywall_close: dismiss [home p-1]", "home < paywall: dismiss", "help < home: dismiss",
            ]
        )
    }

    @Test func `each scene finds its window`() async {
        let app = HostedApp(Shop())
        let other = UIWindow(frame: .zero)
        let controller = UIHostingController(rootView: Text(""))
        other.rootViewController = controller
        other.makeKeyAndVisible()
        await app.tap("Tea")
        let host = HeadlessHost(TabbedShop().tracked(by: app.scene.analytics), in: controller)
        await app.scene.turn()
        await app.act { $0.goBack() }
        host.tap("profile")
        await app.scene.turn()
        #expect(
            app.lines == [
                "home < -: root", "product < home: present", "home < -: root", "home < product: back",
                "profile < home: tab",
            ]
        )
    }
}
