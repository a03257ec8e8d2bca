import EventTracking
import EventTrackingTestKit
import FlowAnalytics
import FlowEvents
import HeadlessSwiftUI
import Testing

@testable import FlowSwiftUI

/// Paywalls in whole apps.
extension ShopTests {
    private static let opened = ["home < -: root", "paywall < home: present [home p-1]"]

    @Test(arguments: Behavior.all, ["Close", "Dismiss"])
    func `a paywall that a button closes is dismissed`(behavior: Behavior, title: String) async {
        for style in [PaywallStyle.sheet, .fullScreen] {
            let app = HostedApp(Shop(style: style), in: behavior.release, animates: behavior.animates)
            await app.tap("Upgrade")
            app.scene.clock.advance(by: .seconds(2))
            await app.tap("Year", title)
            #expect(
                app.lines == Self.opened + [
                    "plan_selected [home p-1]", "paywall_close: dismiss [home p-1]", "home < paywall: dismiss",
                ]
            )
            let close = app.scene.log.events.first { $0.type == "paywall_close" }
            #expect(close?.properties["shown_ms"] == .number(2000))
        }
    }

    @Test(arguments: Behavior.all)
    func `a paywall that is swiped away can be opened again, from another screen`(behavior: Behavior) async {
        let app = HostedApp(Shop(), in: behavior.release, animates: behavior.animates)
        await app.tap("Upgrade")
        await app.act { $0.swipeDown() }
        await app.tap("Tea", "Upgrade")
        #expect(
            app.lines == Self.opened + [
                "paywall_close: swipe_dismiss [home p-1]", "home < paywall: swipe_dismiss",
                "product < home: present", "paywall < product: present [profile p-2]",
            ]
        )
    }

    @Test(arguments: Behavior.all)
    func `another source in place of the first one is another paywall`(behavior: Behavior) async {
        let app = HostedApp(Shop(), in: behavior.release, animates: behavior.animates)
        await app.tap("Upgrade", "Other", "Year")
        #expect(app.lines.filter { $0.hasPrefix("paywall_close") } == ["paywall_close: dismiss [home p-1]"])
        #expect(app.lines.suffix(2) == ["paywall < paywall: replace [profile p-2]", "plan_selected [profile p-2]"])
    }

    @Test(arguments: Behavior.all)
    func `a sheet on a paywall does not end it`(behavior: Behavior) async {
        let app = HostedApp(Shop(), in: behavior.release, animates: behavior.animates)
        await app.tap("Upgrade", "Terms")
        await app.act { $0.swipeDown() }
        #expect(!app.lines.contains { $0.hasPrefix("paywall_close") })
        await app.tap("Close")
        #expect(app.lines.suffix(2) == ["paywall_close: dismiss [home p-1]", "home < paywall: dismiss"])
    }

    @Test(arguments: Behavior.all)
    func `a paywall that is pushed ends when the user goes back`(behavior: Behavior) async {
        let app = HostedApp(Shop(), in: behavior.release, animates: behavior.animates)
        await app.tap("Offer", "Year")
        await app.act { $0.goBack() }
        await app.tap("Offer", "Dismiss")
        #expect(
            app.lines == [
                "home < -: root", "paywall < home: present [profile p-1]", "plan_selected [profile p-1]",
                "paywall_close: back [profile p-1]", "home < paywall: back", "paywall < home: present [profile p-2]",
                "paywall_close: back [profile p-2]", "home < paywall: back",
            ]
        )
    }

    @Test func `a paywall ends with its scene`() async {
        let app = HostedApp(Shop())
        await app.tap("Upgrade")
        await app.close()
        #expect(app.lines.last == "paywall_close: dismiss [home p-1]")
    }
}
