/// Whether the user has agreed to tracking.
public enum Consent: Sendable, Hashable {
    /// Events are sent.
    case granted
    /// Tracking is off.
    case denied
    /// The user was not asked yet, and the app asks; see ``TrackerConfiguration/asksForConsent``. Events wait.
    case pending
    /// It cannot be read now, as on a phone that was not unlocked since it was started. Events wait.
    case unknown
}
