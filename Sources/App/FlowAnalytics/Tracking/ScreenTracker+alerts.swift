import EventTracking
import FlowEvents
import UIPlatform

/// What to track of an alert that a tracked flow presents.
public enum AlertTracking: Sendable, Hashable {
    /// An event `alert_view` with the screen behind the alert as its `screen`. Its properties are `style` (`alert` or
    /// `action_sheet`), `buttons` (their number), and `name` if the app's ``ScreenNaming`` has one for the alert. The
    /// current screen stays current. The alert's texts are not tracked: they are translated, and may be personal.
    case events
    /// A `screen_view`, as if the alert were a screen. The screen behind it becomes current again when it disappears.
    case screenViews
    /// Nothing.
    case nothing
}

extension ScreenTracker {
    /// Returns the alert that this call has to report; `nil` if it is none, or if a decorator around this one reports it.
    func claimAlert(_ controller: UIViewController) -> UIAlertController? {
        guard let alert = controller as? UIAlertController, alerts == .events, claimedAlert !== alert,
            alert.presentingViewController == nil
        else { return nil }
        claimedAlert = alert
        return alert
    }

    /// The call has ended: tracks the alert, unless the flow has refused it.
    func report(_ alert: UIAlertController) {
        claimedAlert = nil
        guard alert.presentingViewController != nil else { return }
        var properties: [String: PropertyValue] = [
            "style": alert.preferredStyle == .alert ? "alert" : "action_sheet",
            "buttons": .number(alert.actions.count),
        ]
        if let name = naming.mapping(alert) { properties["name"] = .string(name) }
        let state = state(of: alert.treeBase, isNew: false)
        track(EventDraft(type: "alert_view", screen: state?.name, properties: properties))
    }
}
