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
        attributed(by: paywalls.opener(from: source))
    }

    // Not generic, so that the compiler makes one version of it that asks for no types at run time.
    private func attributed(by opener: PaywallOpener) -> Flow {
        Flow(
            presentViewController: { [presentViewController, currentViewController] controller, animated, completion in
                guard var opening = opener.begin(controller) else {
                    presentViewController(controller, animated, completion)
                    return
                }
                opening.completion = completion
                opening.currentViewController = currentViewController
                presentViewController(controller, animated) { [opening] in opening.complete() }
                PaywallOpening.returned(&opening)
            },
            replaceViewController: { [replaceViewController, currentViewController] controller, animated in
                guard let opening = opener.begin(controller) else {
                    replaceViewController(controller, animated)
                    return
                }
                opening.currentViewController = currentViewController
                let replaced = currentViewController()
                replaceViewController(controller, animated)
                opening.end(in: controller, replacing: replaced)
            },
            dismissViewController: dismissViewController,
            currentViewController: currentViewController
        )
    }
}
