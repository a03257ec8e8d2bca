import EventTracking
import FlowAnalytics
import FlowKit
import FlowTestSupport
import Foundation
import HeadlessUIKit
import ScreenJourneys
import Testing

@MainActor
@Suite struct AppTests {
    let window = UIWindow(frame: .zero)
    let user: HeadlessUser
    let log = Locked<[EventDraft]>([])
    let directory: TemporaryDirectory
    let journeys: Journeys
    let momo = Character(id: 1, name: "momo")

    init() throws {
        directory = try TemporaryDirectory()
        window.makeKeyAndVisible()
        user = HeadlessUser(in: window)
        journeys = Journeys(path: directory.file("journeys.sqlite"))
    }

    private var lines: [String] {
        log.withLock { $0.map { "\($0.type) \($0.screen ?? "-") \($0.paywallSource ?? "-")" } }
    }

    private func world(_ change: (inout World) -> Void = { _ in }) -> World {
        var world = World()
        world.date = { Date(timeIntervalSince1970: 0) }
        world.track = { [log] draft in log.withLock { $0.append(draft) } }
        change(&world)
        return world
    }

    @Test func `a screen tells where it wants to go`() {
        var routes: [CharactersViewController.Route] = []
        let screen = CharactersViewController(load: { [Character(id: 1, name: "Momo")] }, handle: { routes.append($0) })
        screen.selectFirst()
        screen.selectBanner()
        #expect(routes == [.detail(Character(id: 1, name: "Momo")), .paywall])
    }

    @Test func `a factory function makes a screen from the world of its test`() throws {
        var world = World()
        world.date = { Date(timeIntervalSince1970: 0) }
        let screen = World.$current.withValue(world) { Builders.Characters.detail(Character(id: 1, name: "Momo")) }
        #expect((screen as? DetailViewController)?.openedAt == Date(timeIntervalSince1970: 0))
    }

    @Test(arguments: 0..<20)
    func `worlds of tests that run side by side are apart`(second: Int) async {
        let world = world { $0.date = { Date(timeIntervalSince1970: Double(second)) } }
        await World.$current.withValue(world) {
            await Task.yield()
            let screen = Builders.Characters.detail(momo)
            #expect((screen as? DetailViewController)?.openedAt == Date(timeIntervalSince1970: Double(second)))
        }
    }

    @Test func `from the launch to the paywall, each screen is seen with its source`() async throws {
        try await World.$current.withValue(world()) {
            _ = try App(window: window, journeys: journeys)
            let list = try #require(user.screen as? CharactersViewController)
            list.selectFirst()
            user.goBack()
            list.selectBanner()
            user.finishTransitions()
            (user.screen as? PaywallViewController)?.close()
            user.finishTransitions()
            #expect(
                lines == [
                    "screen_view characters -", "screen_view detail -", "screen_view characters -",
                    "screen_view paywall list", "paywall_close paywall list", "screen_view characters -",
                ]
            )
            #expect(try await journeys.paywallViews().count == 1)
            #expect(Set(try await Shortcuts(from: journeys).screens) == ["paywall", "detail"])
        }
    }

    @Test func `a link goes back and on, and can be told apart by its source`() throws {
        try World.$current.withValue(world()) {
            let app = try App(window: window, journeys: journeys)
            app.open(momo)
            user.finishTransitions()
            app.open(Character(id: 2, name: "beppo"))
            user.finishTransitions()
            #expect(user.screen?.title == "Beppo")
            try app.navigator.handle(navigation: .present(.paywall(app.assembly, source: .push)), animated: false)
            #expect(lines.last == "screen_view paywall push")
            #if DEBUG
            user.swipeToDismiss()
            #expect(app.screens.audit().findings.isEmpty)
            #endif
        }
    }

    @Test func `a failure is an alert, which is no screen view`() throws {
        try World.$current.withValue(world { $0.characters.all = { throw CocoaError(.fileNoSuchFile) } }) {
            _ = try App(window: window, journeys: journeys)
            (user.screen as? CharactersViewController)?.selectFirst()
            user.finishTransitions()
            #expect(user.screen is UIAlertController)
            #expect(lines == ["screen_view characters -", "alert_view characters -"])
        }
    }

    @Test func `a confirmed deletion deletes, and nothing else does`() {
        var deleted = 0
        let home = UIViewController()
        window.rootViewController = home
        for title in ["Keep", "Delete"] {
            confirmDeletion(of: momo, on: home.modalFlow) { deleted += 1 }
            user.tapButton(title)
        }
        #expect(deleted == 1)
    }

    @Test func `a link is a list of steps, to be tested without a screen`() throws {
        let recorder = NavigationRecorder()
        let assembly = Assembly(stack: UINavigationController(), screens: ScreenTracker { _ in })
        try Navigator.recording(in: recorder).handle(navigations: [
            .popToRoot, .push(.detail(assembly: assembly, character: momo)),
        ])
        #expect(recorder.descriptions == ["popToRoot", "push detail(assembly:character:)"])
    }
}
