public import FlowKit
import UIPlatform

extension Flow {
    /// The same flow, for someone from whom paywalls are opened: each ``PaywallScreen`` that is shown through it, alone or
    /// in a container, begins a ``Presentation`` with this source. Other screens pass untouched.
    ///
    /// ```swift
    /// let home = HomeViewController(
    ///     paywall: paywall,
    ///     modal: navigationController.modalFlow.tracked(by: screens).attributed(to: .home, by: paywalls)
    /// )
    /// ```
    ///
    /// The source is the flow's and the presentation is the paywall's: nothing is shared, so any number of paywalls may
    /// be alive. Order does not matter: a flow can be attributed before or after it is tracked; of two sources the outer
    /// one counts.
    ///
    /// - Parameters:
    ///   - source: where the paywalls are opened from.
    ///   - paywalls: makes the presentations; it must come from the tracker that counts the screens.
    public func attributed<Source>(to source: Source, by paywalls: PaywallAttribution<Source>) -> Flow {
        attributed(by: paywalls.opener(from: source))
    }

    // Without the app's type, so that the compiler makes one version of it that asks for no types at run time.
    private func attributed(by opener: PaywallOpener) -> Flow {
        Flow(
            presentViewController: { [presentViewController] controller, animated, completion in
                guard let opening = opener.begin(controller) else {
                    presentViewController(controller, animated, completion)
                    return
                }
                presentViewController(controller, animated) {
                    opener.end(opening)
                    completion?()
                }
                opening.acceptIfShown()
            },
            replaceViewController: { [replaceViewController] controller, animated in
                let opening = opener.begin(controller)
                replaceViewController(controller, animated)
                if let opening { opener.end(opening) }
            },
            dismissViewController: dismissViewController,
            currentViewController: currentViewController
        )
    }
}
