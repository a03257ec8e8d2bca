import Analytics
import FlowAnalytics
import FlowKit
import HeadlessUIKit

/// What `flow.present` costs the main actor, plain and through both decorators, in one run.
///
/// Prints the medians of several rounds in nanoseconds. The transition is not animated, so that what happens at its end
/// is measured as well; the tracker is a closure that does nothing, for its own cost is measured elsewhere.
@main
struct FlowBenchmark {
    private static let rounds = 15
    private static let presentations = 20_000

    @MainActor
    static func main() {
        let plain = Subject(isDecorated: false)
        let decorated = Subject(isDecorated: true)
        var samples: (plain: [Double], decorated: [Double]) = ([], [])
        for _ in 0..<rounds {
            samples.plain.append(nanoseconds(of: plain))
            samples.decorated.append(nanoseconds(of: decorated))
        }
        let (without, with) = (median(samples.plain), median(samples.decorated))
        print("flow.present: \(Int(without)) ns plain, \(Int(with)) ns decorated, \(Int(with - without)) ns more")
    }

    @MainActor
    private static func nanoseconds(of subject: Subject) -> Double {
        let clock = ContinuousClock()
        var spent = Duration.zero
        for _ in 0..<presentations {
            let start = clock.now
            subject.flow.present(subject.paywall, animated: false)
            spent += clock.now - start
            subject.flow.dismiss(animated: false)
        }
        return spent / .nanoseconds(1) / Double(presentations)
    }

    private static func median(_ values: [Double]) -> Double {
        values.sorted()[values.count / 2]
    }
}

private enum Source: String { case home }

private final class PaywallViewController: UIViewController, PaywallScreen {
    var presentation: Presentation<Source>?
}

/// An app of one stack and one paywall.
@MainActor
private struct Subject {
    let stack = UINavigationController(rootViewController: UIViewController())
    let paywall = PaywallViewController()
    let flow: Flow

    init(isDecorated: Bool) {
        let plain = stack.modalFlow
        let screens = ScreenTracker { _ in }
        let paywalls = PaywallAttribution<Source>(screens)
        flow = isDecorated ? plain.tracked(by: screens).attributed(to: .home, by: paywalls) : plain
    }
}
