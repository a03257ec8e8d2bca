import EventTracking
import FlowAnalytics
import FlowEvents
import HeadlessSwiftUI
import Testing

@testable import FlowSwiftUI

/// Whole apps, with each order in which releases of SwiftUI tell of views.
@MainActor
@Suite struct ShopTests {
    private static let home = "home < -: root"

    @Test(arguments: Behavior.all)
    func `going on and back in a stack tells each screen once`(behavior: Behavior) async {
        let app = HostedApp(Shop(), in: behavior.release, animates: behavior.animates)
        await app.tap("Tea", "Cup")
        await app.act { $0.goBack() }
        await app.act { $0.goBack() }
        await app.tap("Tea")
        #expect(
            app.lines == [
                Self.home, "product < home: present", "product < product: present", "product < product: back",
                "home < product: back", "product < home: present",
            ]
        )
        let items = app.scene.log.events.map { $0.properties["item_id"] }
        #expect(items == [nil, "tea", "cup", "tea", nil, "tea"])
    }

    @Test(arguments: Behavior.all)
    func `pop to root is one step back`(behavior: Behavior) async {
        let app = HostedApp(Shop(), in: behavior.release, animates: behavior.animates)
        await app.tap("Tea", "Cup", "Cup", "Home")
        #expect(app.lines.count == 5)
        #expect(app.lines.last == "home < product: back")
    }

    @Test(arguments: Behavior.all)
    func `a swipe back that is canceled tells nothing`(behavior: Behavior) async {
        let app = HostedApp(Shop(), in: behavior.release, animates: behavior.animates)
        await app.tap("Tea")
        for isAgain in [true, false] { await app.act { $0.cancelSwipeBack(isAgain: isAgain) } }
        #expect(app.lines == [Self.home, "product < home: present"])
        await app.act { $0.goBack() }
        #expect(app.lines.last == "home < product: back")
    }

    @Test(arguments: Behavior.all)
    func `a destination that is used again for another item is told, and a deep link counts its last screen`(
        behavior: Behavior
    ) async {
        let app = HostedApp(Shop(), in: behavior.release, animates: behavior.animates)
        await app.tap("Deep link", "Milk")
        #expect(app.lines == [Self.home, "product < home: present", "product < product: replace"])
        #expect(app.scene.log.events.map { $0.properties["item_id"] } == [nil, "cup", "milk"])
    }

    @Test(arguments: Behavior.all)
    func `the end of a path that is exchanged is another screen, with the same view and with another one`(
        behavior: Behavior
    ) async {
        let app = HostedApp(Shop(), in: behavior.release, animates: behavior.animates)
        await app.tap("Page", "Next", "Turn")
        #expect(
            app.lines == [
                Self.home, "page < home: present", "page < page: replace", "paywall < page: replace [profile p-1]",
            ]
        )
    }

    @Test(arguments: Behavior.all)
    func `a sheet in a sheet, swiped away one after the other`(behavior: Behavior) async {
        let app = HostedApp(Shop(), in: behavior.release, animates: behavior.animates)
        await app.tap("Help", "Chat")
        await app.act { $0.swipeDown() }
        await app.act { $0.swipeDown() }
        #expect(
            app.lines == [
                Self.home, "help < home: present", "chat < help: present", "help < chat: dismiss",
                "home < help: dismiss",
            ]
        )
    }

    @Test func `views that are evaluated any number of times tell nothing`() async {
        let app = HostedApp(Shop())
        await app.tap("Upgrade")
        let lines = app.lines
        for _ in 0..<5 { await app.act { $0.update() } }
        #expect(app.lines == lines)
        await app.tap("Year")
        #expect(app.lines.last == "plan_selected [home p-1]")
    }

    @Test(arguments: Behavior.all, [true, false])
    func `choosing a tab tells its screen, whether the views of the other one stay or go`(
        behavior: Behavior,
        keepsTabs: Bool
    ) async {
        var release = behavior.release
        release.keepsTabs = keepsTabs
        for namesTabs in [true, false] {
            let app = HostedApp(TabbedShop(namesTabs: namesTabs), in: release, animates: behavior.animates)
            await app.tap("Tea", "profile", "home")
            await app.act { $0.goBack() }
            #expect(
                app.lines == [
                    Self.home, "product < home: present", "profile < product: tab", "product < profile: tab",
                    "home < product: back",
                ]
            )
        }
    }

    @Test(arguments: Behavior.all)
    func `tabs that all appear at the launch count when they are selected`(behavior: Behavior) async {
        var release = behavior.release
        release.loadsAllTabs = true
        let app = HostedApp(TabbedShop(), in: release, animates: behavior.animates)
        await app.tap("profile", "Upgrade")
        await app.act { $0.swipeDown() }
        await app.tap("home")
        #expect(
            app.lines == [
                Self.home, "profile < home: tab", "paywall < profile: present [profile p-1]",
                "paywall_close: swipe_dismiss [profile p-1]", "profile < paywall: swipe_dismiss",
                "home < profile: tab",
            ]
        )
    }
}
