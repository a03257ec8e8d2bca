public import FlowKit

extension Navigator {
    /// The same navigator, each of whose steps is tracked: what ``FlowKit/Flow/tracked(by:)`` is for a flow.
    @MainActor
    public func tracked(by screens: ScreenTracker) -> Navigator {
        decorated { $0.tracked(by: screens) }
    }

    /// The same navigator, for someone from whom paywalls are opened: what ``FlowKit/Flow/attributed(to:by:)`` is for a
    /// flow, such as `.attributed(to: .push, by: paywalls)` for the links of notifications.
    @MainActor
    public func attributed<Source>(to source: Source, by paywalls: PaywallAttribution<Source>) -> Navigator {
        decorated { $0.attributed(to: source, by: paywalls) }
    }
}
