public import FlowKit
import UIPlatform

extension Flow {
    /// Returns a flow that opens paywalls from a source. Each ``PaywallScreen`` that it shows, alone or in a container,
    /// begins a ``Presentation`` with this source. Other screens are not affected.
    ///
    /// ```swift
    /// let home = HomeViewController(
    ///     paywall: paywall,
    ///     modal: navigationController.modalFlow.tracked(by: screens).attributed(to: .home, by: paywalls)
    /// )
    /// ```
    ///
    /// If the paywall's builder knows the source, use ``FlowKit/Builder/attributed(by:)`` instead, so that the source is
    /// written once. The presentation of a paywall from such a builder keeps the builder's source.
    ///
    /// The source belongs to the flow and the presentation to the paywall, so any number of paywalls may exist. A flow can
    /// be attributed before or after it is tracked. Of two sources the outer one counts.
    ///
    /// - Parameters:
    ///   - source: where the paywalls are opened from.
    ///   - paywalls: makes the presentations. Create it with the ``ScreenTracker`` that tracks the screens.
    public func attributed<Source>(to source: Source, by paywalls: PaywallAttribution<Source>) -> Flow {
        let attributed = AttributedFlow(flow: self, opener: paywalls.opener(from: source))
        return Flow(
            presentViewController: { attributed.present($0, animated: $1, completion: $2) },
            replaceViewController: { attributed.replace(with: $0, animated: $1) },
            dismissViewController: dismissViewController,
            currentViewController: currentViewController
        )
    }
}

/// An attributed flow.
///
/// Not generic, so that the compiler makes one version of it that asks for no types at run time.
@MainActor
private final class AttributedFlow {
    private let flow: Flow
    private let opener: PaywallOpener

    nonisolated init(flow: Flow, opener: PaywallOpener) {
        self.flow = flow
        self.opener = opener
    }

    func present(_ controller: UIViewController, animated: Bool, completion: (() -> Void)?) {
        guard var opening = opener.begin(controller) else {
            return flow.presentViewController(controller, animated, completion)
        }
        opening.completion = completion
        opening.currentViewController = flow.currentViewController
        flow.presentViewController(controller, animated) { [opening] in opening.complete() }
        PaywallOpening.returned(&opening)
    }

    func replace(with controller: UIViewController, animated: Bool) {
        guard let opening = opener.begin(controller) else {
            return flow.replaceViewController(controller, animated)
        }
        opening.currentViewController = flow.currentViewController
        let replaced = flow.currentViewController()
        flow.replaceViewController(controller, animated)
        opening.end(in: controller, replacing: replaced)
    }
}
