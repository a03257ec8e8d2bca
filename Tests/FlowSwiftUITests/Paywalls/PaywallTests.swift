import EventTracking
import EventTrackingTestKit
import FlowAnalytics
import FlowEvents
import HeadlessSwiftUI
import HeadlessUIKit
import Testing

@testable import FlowSwiftUI

/// What `paywall(_:)` and `paywallScreen(source:)` tell their scene.
@MainActor
@Suite struct PaywallTests {
    private let scene = TestScene()

    /// The content of a paywall appears, without a name of its own.
    private func content(of item: PaywallItem) -> ScreenBox {
        let box = ScreenBox()
        let position = ScreenPosition().presenting(item.id)
        box.appear(in: scene.context, as: ScreenPlace("paywall", isFallback: true), at: position)
        return box
    }

    @Test func `a sheet that is swiped away has its source, its time on screen and one close`() async throws {
        let home = scene.view("home")
        await scene.turn()
        let box = PaywallBox()
        let item = try #require(box.item(for: "home", in: scene.context, canSwipe: true))
        let paywall = content(of: item)
        await scene.turn()
        scene.clock.advance(by: .seconds(3))
        item.presentation?.track("plan_selected")
        paywall.disappear()
        await scene.turn()
        #expect(box.isDismissedBySwiftUI())
        box.dismissed()
        await scene.turn()
        withExtendedLifetime(home) {}
        #expect(
            scene.log.lines == [
                "home < -: root", "paywall < home: present [home p-1]", "plan_selected [home p-1]",
                "paywall_close: swipe_dismiss [home p-1]", "home < paywall: swipe_dismiss",
            ]
        )
        let close = scene.log.events.first { $0.type == "paywall_close" }
        #expect(close?.screen == "paywall")
        #expect(close?.properties["shown_ms"] == .number(3000))
    }

    @Test func `a paywall that the app dismisses is dismissed`() async throws {
        let home = scene.view("home")
        let box = PaywallBox()
        let item = try #require(box.item(for: "home", in: scene.context, canSwipe: true))
        let paywall = content(of: item)
        await scene.turn()
        #expect(box.item(for: nil, in: scene.context, canSwipe: true) == nil)
        #expect(!box.isDismissedBySwiftUI())
        paywall.disappear()
        box.dismissed()
        await scene.turn()
        withExtendedLifetime(home) {}
        #expect(scene.log.lines.suffix(2) == ["paywall_close: dismiss [home p-1]", "home < paywall: dismiss"])
    }

    @Test func `another source in place of the first one is another presentation`() async throws {
        let home = scene.view("home")
        let box = PaywallBox()
        let first = try #require(box.item(for: "home", in: scene.context, canSwipe: true))
        let old = content(of: first)
        await scene.turn()
        let second = try #require(box.item(for: "profile", in: scene.context, canSwipe: true))
        old.disappear()
        box.dismissed()
        let new = content(of: second)
        await scene.turn()
        withExtendedLifetime((home, new)) {}
        #expect(first.id != second.id)
        #expect(scene.log.lines.filter { $0.hasPrefix("paywall_close") } == ["paywall_close: dismiss [home p-1]"])
        #expect(scene.log.lines.last == "paywall < paywall: replace [profile p-2]")
    }

    @Test func `SwiftUI may ask for the content any number of times`() async throws {
        let box = PaywallBox()
        let ids = (0..<3).map { _ in box.item(for: "home", in: scene.context, canSwipe: true)?.id }
        #expect(Set(ids) == ["p-1"])
    }

    @Test func `a paywall that goes with the view that presents it is closed`() async throws {
        let home = scene.view("home")
        await scene.turn()
        var box: PaywallBox? = PaywallBox()
        let item = try #require(box?.item(for: "home", in: scene.context, canSwipe: true))
        let paywall = content(of: item)
        await scene.turn()
        box = nil
        await scene.turn()
        withExtendedLifetime((home, paywall)) {}
        #expect(scene.log.lines.filter { $0.hasPrefix("paywall_close") } == ["paywall_close: dismiss [home p-1]"])
    }

    @Test func `a paywall is shown without analytics`() {
        let box = PaywallBox()
        let item = box.item(for: "home", in: nil, canSwipe: true)
        #expect(item?.source == "home")
        #expect(item?.presentation == nil)
        #expect(box.isDismissedBySwiftUI())
        box.dismissed()
    }

    @Test func `a paywall that is pushed ends when the user goes back, and is another one the next time`() async {
        let stack = ViewBox()
        stack.move(to: 0, in: scene.context)
        let position = stack.stackPosition(in: scene.context, at: ScreenPosition())
        let home = scene.view("home", at: position)
        await scene.turn()
        var pushed: PaywallScreenBox?
        for depth in [1, 0, 1] {
            stack.move(to: depth, in: scene.context)
            if depth == 0 {
                home.appear(in: scene.context, as: ScreenPlace("home"), at: position)
                pushed?.disappear()
                pushed = nil
            } else {
                let box = PaywallScreenBox()
                let place = ScreenPlace("paywall")
                #expect(!box.appear(from: "home", as: place, at: position, in: scene.context))
                home.disappear()
                pushed = box
            }
            await scene.turn()
        }
        #expect(
            scene.log.lines == [
                "home < -: root", "paywall < home: present [home p-1]", "paywall_close: back [home p-1]",
                "home < paywall: back", "paywall < home: present [home p-2]",
            ]
        )
    }

    @Test func `a pushed paywall that a sheet covers goes on`() async {
        let home = scene.view("home")
        await scene.turn()
        let paywall = PaywallScreenBox()
        _ = paywall.appear(from: "home", as: ScreenPlace("paywall"), at: ScreenPosition(), in: scene.context)
        home.disappear()
        await scene.turn()
        var terms: ScreenBox? = scene.view("terms")
        await scene.turn()
        withExtendedLifetime(terms) {}
        terms = nil
        await scene.turn()
        #expect(
            scene.log.lines == [
                "home < -: root", "paywall < home: present [home p-1]", "terms < paywall: present",
                "paywall < terms: dismiss [home p-1]",
            ]
        )
        withExtendedLifetime((home, paywall)) {}
    }
}
