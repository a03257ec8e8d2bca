import EventTracking
import FlowEvents
import FlowAnalytics
import FlowKit
import Foundation
import HeadlessUIKit
import Synchronization

final class HomeViewController: UIViewController {}
final class ProfileViewController: UIViewController {}
final class DetailViewController: UIViewController {}
final class SettingsViewController: UIViewController {}
final class UndeclaredContainer: UIViewController {}

enum PaywallSource: String { case home, profile }

final class PaywallViewController: UIViewController, PaywallScreen {
    var presentation: Presentation<PaywallSource>?
}

/// Collects what is tracked, and says it in one line each.
final class EventLog: Sendable {
    private let drafts = Mutex<[EventDraft]>([])

    func append(_ draft: EventDraft) {
        drafts.withLock { $0.append(draft) }
    }

    var events: [EventDraft] { drafts.withLock { $0 } }

    /// `screen < previous: transition`, then source and presentation in brackets, then how it was noticed; other events
    /// begin with their type.
    var lines: [String] {
        events.map { event in
            var line =
                event.type == "screen_view"
                ? "\(event.screen ?? "-") < \(event.previousScreen ?? "-"): \(event.transition ?? "-")" : event.type
            if event.type == "paywall_close" { line += ": \(event.transition ?? "-")" }
            if event.paywallSource != nil || event.presentationID != nil {
                line += " [\(event.paywallSource ?? "-") \(event.presentationID ?? "-")]"
            }
            if case .string(let noticed)? = event.properties["noticed"] { line += " \(noticed)" }
            return line
        }
    }
}

/// An app with a window, a navigation stack and someone in front of it.
@MainActor
struct TestApp {
    let log = EventLog()
    let application = UIApplication()
    let window = UIWindow(frame: .zero)
    let stack = UINavigationController()
    let screens: ScreenTracker
    let paywalls: PaywallAttribution<PaywallSource>
    let user: HeadlessUser
    /// The stack's flow, tracked.
    let flow: Flow
    let home = HomeViewController()

    init(
        naming: ScreenNaming = .automatic,
        alerts: AlertTracking = .events,
        ignoring ignored: IgnoredScreens = .none,
        clock: any Clock<Duration> = ContinuousClock()
    ) {
        let log = log
        screens = ScreenTracker(naming: naming, alerts: alerts, ignoring: ignored, clock: clock) { log.append($0) }
        screens.application = ObjectIdentifier(application)
        paywalls = PaywallAttribution(screens, ids: .counting("p"))
        #if DEBUG
        screens.sayRefusal = { _ in }
        #endif
        window.rootViewController = stack
        window.makeKeyAndVisible()
        user = HeadlessUser(in: window)
        flow = stack.navigationFlow.tracked(by: screens)
    }

    /// A tracked flow that presents on the controller.
    func modal(on controller: UIViewController) -> Flow {
        controller.modalFlow.tracked(by: screens)
    }
}
