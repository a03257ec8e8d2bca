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
