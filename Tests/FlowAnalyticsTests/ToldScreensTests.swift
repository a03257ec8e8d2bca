import EventTracking
import FlowAnalytics
import FlowEvents
import FlowKit
import FlowTimingTestSupport
import Foundation
import HeadlessUIKit
import Testing

/// Screens that are not controllers, which the app tells by hand.
@MainActor
@Suite(.eachTiming) struct ToldScreensTests {
    @Test func `screens that are told by hand lie on top of the controller`() {
        let app = TestApp()
        app.flow.present(app.home, animated: false)
        app.screens.enter("search")
        app.screens.enter("results")
        app.screens.leave("results")
        app.screens.leave("search")
        app.screens.leave("search")
        app.screens.enter("search")
        app.flow.present(DetailViewController(), animated: false)
        #expect(
            app.log.lines == [
                "home < -: root", "search < home: present", "results < search: present", "search < results: back",
                "home < search: back", "search < home: present", "detail < search: present",
            ]
        )
    }

    @Test func `what happens on a screen that is told by hand is of that screen, and not of the one beneath`()
        async throws
    {
        let app = TestApp()
        app.flow.present(app.home, animated: false)
        app.screens.enter("search")
        AlertBuilder(title: "Sure?").button("Yes").show(on: app.flow) { _ in }
        app.user.finishTransitions()
        #expect(app.log.events.first { $0.type == "alert_view" }?.screen == "search")
    }

    @Test func `a screen that appears twice and disappears once is one screen`() {
        let app = TestApp()
        app.flow.present(app.home, animated: false)
        app.screens.enter("product")
        app.screens.enter("product")
        app.screens.leave("product")
        #expect(app.log.lines == ["home < -: root", "product < home: present", "home < product: back"])
    }

    @Test func `a screen on one of its own name with another item goes and leaves the other`() {
        let app = TestApp()
        app.flow.present(app.home, animated: false)
        app.screens.enter("product", item: "1")
        app.screens.enter("product", item: "2")
        app.screens.leave("product", item: "2")
        app.screens.leave("product", item: "1")
        #expect(
            app.log.lines == [
                "home < -: root", "product < home: present", "product < product: present", "product < product: back",
                "home < product: back",
            ]
        )
        #expect(app.log.events.compactMap { $0.properties["item_id"] } == [.string("1"), .string("2"), .string("1")])
    }

    @Test(arguments: [false, true])
    func `an app whose windows SwiftUI makes has no flow, and needs none`(namesWindow: Bool) {
        let log = EventLog()
        let window = UIWindow(frame: .zero)
        window.rootViewController = UIHostingController<Int>()
        window.makeKeyAndVisible()
        let screens = ScreenTracker { log.append($0) }
        let named = namesWindow ? window : nil
        screens.enter("catalog", in: named)
        screens.enter("detail", in: named)
        screens.leave("detail", in: named)
        #expect(log.lines == ["catalog < -: root", "detail < catalog: present", "catalog < detail: back"])
    }

    @Test func `the revealed screen may appear before the one on top of it disappears`() {
        let app = TestApp()
        app.flow.present(app.home, animated: false)
        app.screens.enter("list")
        app.screens.enter("detail")
        app.screens.leave("list")
        app.screens.enter("list")
        app.screens.leave("detail")
        #expect(
            app.log.lines == [
                "home < -: root", "list < home: present", "detail < list: present", "list < detail: back",
            ]
        )
    }

    @Test func `what appears in the background is not told`() {
        let app = TestApp()
        app.flow.present(app.home, animated: false)
        let system = HeadlessSystem(of: app.application)
        system.enterBackground()
        app.screens.enter("offer")
        app.screens.leave("offer")
        system.enterForeground()
        #expect(app.log.lines == ["home < -: root"])
    }

    @Test func `a screen that appears in the background and stays is told in the foreground`() {
        let app = TestApp()
        app.flow.present(app.home, animated: false)
        let system = HeadlessSystem(of: app.application)
        system.enterBackground()
        app.screens.enter("offer")
        system.enterForeground()
        #expect(app.log.lines == ["home < -: root", "offer < home: present"])
    }

    @Test func `a screen that is told by hand is current again when what covered it goes`() async {
        let (app, modal) = await coveredSearch()
        app.screens.enter("help")
        modal.dismiss(animated: false)
        await settle(app.window)
        app.screens.leave("help")
        app.screens.leave("search")
        #expect(
            app.log.lines == [
                "home < -: root", "search < home: present", "settings < search: present", "help < settings: present",
                "search < help: dismiss", "home < search: back",
            ]
        )
    }

    @Test func `a screen that is told by hand and left while it is covered is not current again`() async {
        let (app, modal) = await coveredSearch()
        app.screens.leave("search")
        modal.dismiss(animated: false)
        await settle(app.window)
        app.flow.present(DetailViewController(), animated: false)
        #expect(
            app.log.lines == [
                "home < -: root", "search < home: present", "settings < search: present", "home < settings: dismiss",
                "detail < home: present",
            ]
        )
    }

    /// An app whose screen `search` was told by hand on top of `home`, and is covered by `settings`.
    private func coveredSearch() async -> (app: TestApp, modal: Flow) {
        let app = TestApp()
        let modal = app.modal(on: app.stack)
        app.flow.present(app.home, animated: false)
        app.screens.enter("search")
        modal.present(SettingsViewController(), animated: false)
        await settle(app.window)
        return (app, modal)
    }
}

private final class UIHostingController<Content>: UIViewController {}
