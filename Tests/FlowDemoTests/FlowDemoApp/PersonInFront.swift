import EventTracking
import EventTrackingTestKit
import FlowDemoApp
import FlowEvents
import Foundation
import HeadlessUIKit

/// The app in a window, with a tracker whose events can be read, a shop that answers when told to, and a person in front.
@MainActor
final class PersonInFront {
    let user: HeadlessUser
    /// The shop's answers that somebody waits for, in the order of the orders.
    private(set) var orders: [@MainActor (PurchaseService.Outcome) -> Void] = []
    private let window = UIWindow(frame: .zero)
    private let recorder = EventRecorder()
    private let tracker: Tracker
    private(set) var world: World
    private var app: DemoApp?

    init(_ change: (inout World) -> Void = { _ in }) {
        window.makeKeyAndVisible()
        user = HeadlessUser(in: window)
        tracker = Tracker(
            source: "app://com.example.demo",
            identity: .memory(Identity(installID: "install-1")),
            sink: .recording(recorder),
            clock: ManualClock()
        )
        world = World(
            tracker: tracker,
            shop: PurchaseService { _, _ in },
            presentationIDs: .counting("p")
        )
        world.shop = PurchaseService { [weak self] _, answer in self?.orders.append(answer) }
        change(&world)
        app = World.$current.withValue(world) { DemoApp(window: window) }
    }

    func launch() throws {
        try World.$current.withValue(world) { try app?.launch() }
        user.finishTransitions()
    }

    func open(_ link: DemoApp.Link) throws {
        try World.$current.withValue(world) { try app?.open(link) }
        user.finishTransitions()
    }

    /// The screen in front, where it is of the type.
    func screen<Screen: UIViewController>(_: Screen.Type = Screen.self) throws -> Screen {
        guard let screen = user.screen as? Screen else {
            throw UnexpectedScreen(expected: "\(Screen.self)", found: user.screen.map { "\(type(of: $0))" })
        }
        return screen
    }

    /// Does something on the screen in front, and sees its transitions through.
    func on<Screen: UIViewController>(_: Screen.Type, _ action: (Screen) -> Void) throws {
        try World.$current.withValue(world) { try action(screen()) }
        user.finishTransitions()
    }

    /// What was tracked, one line each: `screen < previous: transition`, or the type and its properties; then the source
    /// and the presentation in brackets.
    func lines() async throws -> [String] {
        await tracker.flush()
        return try recorder.events.map { event in
            var line = event.type
            if event.type == "screen_view" {
                line = "\(event.screen ?? "-") < \(event.previousScreen ?? "-"): \(event.transition ?? "-")"
            }
            if event.type == "paywall_close" { line += ": \(event.transition ?? "-")" }
            for (name, value) in event.properties.sorted(by: { $0.key < $1.key }) where name != "shown_ms" {
                switch value.kind {
                case .string(let text): line += " \(name)=\(text)"
                case .number(let number): line += " \(name)=\(number)"
                case .bool(let bool): line += " \(name)=\(bool)"
                }
            }
            guard event.paywallSource != nil || event.presentationID != nil else { return line }
            return line + " [\(event.paywallSource ?? "-") \(event.presentationID ?? "-")]"
        }
    }
}

struct UnexpectedScreen: Error {
    var expected: String
    var found: String?
}
