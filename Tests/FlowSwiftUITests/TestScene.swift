import EventTracking
import EventTrackingTestKit
import FlowAnalytics
import FlowEvents
import FlowKit
import FlowTimingTestSupport
import Foundation
import HeadlessSwiftUI
import HeadlessUIKit
import Synchronization

@testable import FlowSwiftUI

enum Source: String { case home, profile }

/// Collects what is tracked, and says it in one line each.
final class EventLog: Sendable {
    private let drafts = Mutex<[EventDraft]>([])

    func append(_ draft: EventDraft) { drafts.withLock { $0.append(draft) } }

    var events: [EventDraft] { drafts.withLock { $0 } }

    /// `screen < previous: transition`, then source and presentation in brackets; other events begin with their type.
    var lines: [String] {
        events.map { event in
            let isView = event.type == "screen_view"
            let first = isView ? "\(event.screen ?? "-") < \(event.previousScreen ?? "-")" : event.type
            let transition = event.transition.map { ": \($0)" } ?? ""
            let paywall = event.presentationID.map { " [\(event.paywallSource ?? "-") \($0)]" } ?? ""
            return first + transition + paywall
        }
    }
}

/// A scene of SwiftUI in a window. There is no SwiftUI on Linux, so tests call what its modifiers call, in SwiftUI's order.
@MainActor
final class TestScene {
    let log = EventLog()
    let clock = ManualClock()
    let application = UIApplication()
    let window = UIWindow(frame: .zero)
    let screens: ScreenTracker
    let analytics: AppAnalytics
    let context: SceneContext

    init(root: UIViewController = UIHostingController(rootView: Text(""))) {
        screens = ScreenTracker(clock: clock) { [log] in log.append($0) }
        screens.application = ObjectIdentifier(application)
        analytics = AppAnalytics(screens, ids: .counting("p"))
        window.rootViewController = root
        window.makeKeyAndVisible()
        context = SceneContext(scene: SceneBox().scene(of: analytics), paywalls: analytics.paywalls)
        context.scene.window = window
    }

    /// A view that appears as a screen.
    func view(_ name: String, item: String? = nil, at position: ScreenPosition = ScreenPosition()) -> ScreenBox {
        let box = ScreenBox()
        box.appear(in: context, as: ScreenPlace(name, item: item), at: position)
        return box
    }

    /// The next turns of the main actor, on which the scene says what has changed.
    func turn() async { await settle(window) }
}
