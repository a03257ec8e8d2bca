import EventTracking
import FlowAnalytics
import FlowEvents
import HeadlessSwiftUI
import HeadlessUIKit
import Testing

@testable import FlowSwiftUI

/// What `trackedScreen(_:item:)`, `trackedPath(_:)` and `trackedTabs(_:)` tell their scene.
@MainActor
@Suite struct TrackedScreenTests {
    private let scene = TestScene()

    @Test func `the screens of an app without UIKit are told on the next turn of the main actor`() async {
        let home = scene.view("home")
        #expect(scene.log.lines == [])
        await scene.turn()
        let detail = scene.view("detail")
        home.disappear()
        await scene.turn()
        home.appear(in: scene.context, as: ScreenPlace("home"), at: ScreenPosition())
        detail.disappear()
        await scene.turn()
        #expect(scene.log.lines == ["home < -: root", "detail < home: present", "home < detail: back"])
    }

    @Test func `a view that SwiftUI releases without onDisappear is gone`() async {
        let home = scene.view("home")
        await scene.turn()
        var sheet: ScreenBox? = scene.view("sheet")
        await scene.turn()
        withExtendedLifetime(sheet) {}
        sheet = nil
        await scene.turn()
        withExtendedLifetime(home) {}
        #expect(scene.log.lines == ["home < -: root", "sheet < home: present", "home < sheet: dismiss"])
    }

    @Test func `a view that stays and shows another item is another screen view`() async {
        let product = scene.view("product", item: "1")
        await scene.turn()
        product.change(to: ScreenPlace("product", item: "2"))
        await scene.turn()
        #expect(scene.log.lines == ["product < -: root", "product < product: replace"])
        #expect(scene.log.events.map { $0.properties["item_id"] } == [.string("1"), .string("2")])
    }

    @Test func `a view that SwiftUI makes and never shows has no token and says nothing`() async {
        _ = ScreenBox()
        let home = scene.view("home")
        await scene.turn()
        home.disappear()
        #expect(scene.log.lines == ["home < -: root"])
    }

    @Test func `a destination that is used again for the next value of the path is told`() async {
        let stack = ViewBox()
        stack.move(to: 0, in: scene.context)
        let position = stack.stackPosition(in: scene.context, at: ScreenPosition())
        let home = scene.view("home", at: position)
        await scene.turn()
        let product = scene.view("product", item: "1", at: position)
        stack.move(to: 1, in: scene.context)
        home.disappear()
        await scene.turn()
        // The same view for another value: SwiftUI calls neither onDisappear nor onAppear.
        stack.move(to: 1, in: scene.context)
        product.change(to: ScreenPlace("product", item: "2"))
        await scene.turn()
        #expect(
            scene.log.lines == ["home < -: root", "product < home: present", "product < product: replace"]
        )
    }

    @Test func `a tab that is selected again is told, though its view never disappeared`() async {
        let tabs = TabsBox()
        tabs.select("home", in: scene.context)
        let position = tabs.position(in: scene.context, at: ScreenPosition())
        let home = scene.view("home", at: position)
        await scene.turn()
        tabs.select("profile", in: scene.context)
        let profile = scene.view("profile", at: position)
        await scene.turn()
        tabs.select("home", in: scene.context)
        await scene.turn()
        withExtendedLifetime((home, profile)) {}
        #expect(scene.log.lines == ["home < -: root", "profile < home: tab", "home < profile: tab"])
    }

    @Test func `of tabs that all appear at the launch, the selected one is the screen`() async {
        let tabs = TabsBox()
        tabs.select("home", in: scene.context)
        let around = tabs.position(in: scene.context, at: ScreenPosition())
        let home = scene.view("home", at: tabs.position(of: "home", at: around))
        let profile = scene.view("profile", at: tabs.position(of: "profile", at: around))
        await scene.turn()
        tabs.select("profile", in: scene.context)
        await scene.turn()
        withExtendedLifetime((home, profile)) {}
        #expect(scene.log.lines == ["home < -: root", "profile < home: tab"])
    }

    @Test func `a view outside of a tracked scene is no screen`() async {
        let box = ScreenBox()
        box.appear(in: nil, as: ScreenPlace("lost"), at: ScreenPosition())
        box.disappear()
        await scene.turn()
        #expect(scene.log.lines == [])
    }
}
