import EventTracking
import FlowEvents
import UIPlatform

extension ScreenTracker {
    /// The alert, where it is one that this call has to report: not where a decorator around this one will.
    func claimAlert(_ controller: UIViewController) -> UIAlertController? {
        guard let alert = controller as? UIAlertController, alerts == .events, claimedAlert !== alert,
            alert.presentingViewController == nil
        else { return nil }
        claimedAlert = alert
        return alert
    }

    /// The call is over: tells of the alert, unless it was refused.
    func report(_ alert: UIAlertController) {
        claimedAlert = nil
        guard alert.presentingViewController != nil else { return }
        var properties: [String: PropertyValue] = [
            "style": alert.preferredStyle == .alert ? "alert" : "action_sheet",
            "buttons": .number(Double(alert.actions.count)),
        ]
        if let name = naming.mapping(alert) { properties["name"] = .string(name) }
        track(EventDraft(type: "alert_view", screen: currentName, properties: properties))
    }
}

/// What a tracked flow tells of an alert that it presents.
public enum AlertTracking: Sendable, Hashable {
    /// An event `alert_view`, with the screen behind it as its `screen`, and in its properties `style` (`alert` or
    /// `action_sheet`), `buttons` (how many), and `name` where the app's ``ScreenNaming`` has one for it. The current
    /// screen stays what it is. What the alert says is not told: it is translated, and may be about a person.
    case events
    /// A `screen_view`, as if the alert were a screen: it becomes current, and so does the screen behind it when it goes.
    case screenViews
    /// Nothing.
    case nothing
}
