import EventTracking
import FlowAnalytics
import FlowKit
import Foundation
import HeadlessUIKit

private enum Source: String { case home }

private final class PaywallViewController: UIViewController, PaywallScreen {
    var presentation: Presentation<Source>?
}

/// An app of one stack and one paywall, and the way from one to the other.
@MainActor
struct Subject {
    private let window = UIWindow(frame: .zero)
    private let stack: UINavigationController
    private let paywall = PaywallViewController()
    private let flow: Flow

    private init(decorate: (Flow) -> Flow) {
        stack = UINavigationController(rootViewController: UIViewController())
        flow = decorate(stack.modalFlow)
        window.rootViewController = stack
        window.makeKeyAndVisible()
    }

    /// Without decorators.
    static func plain() -> Subject {
        Subject { $0 }
    }

    /// Through both decorators, with the ids that an app has. The events go nowhere: what the decorators cost.
    static func decorated() -> Subject {
        decorated(ScreenTracker { _ in })
    }

    /// Through both decorators and into a tracker: what an app's main actor pays.
    static func decoratedWithTracker() -> Subject {
        decorated(ScreenTracker(Tracker(source: "app://benchmark", identity: .memory(), sink: .discarding)))
    }

    private static func decorated(_ screens: ScreenTracker) -> Subject {
        let paywalls = PaywallAttribution<Source>(screens)
        return Subject { $0.tracked(by: screens).attributed(to: .home, by: paywalls) }
    }

    /// How long each of so many presentations takes.
    func microseconds(of presentations: Int) -> Double {
        let clock = ContinuousClock()
        var spent = Duration.zero
        for _ in 0..<presentations {
            let start = clock.now
            present()
            spent += clock.now - start
            flow.dismiss(animated: false)
        }
        let microseconds = spent / .microseconds(1)
        return microseconds / Double(presentations)
    }

    // A function of its own, so that a profiler can count what happens in it alone.
    @inline(never)
    private func present() {
        flow.present(paywall, animated: false)
    }
}
