import EventTracking

/// Where paywalls are opened from, and the way to track what belongs to them: one for each flow that is attributed.
///
/// A class without the app's type as a parameter. Nothing then has to ask the runtime for generic types at each
/// presentation, which takes longer than everything else that the decorators do.
final class PaywallOrigin: Sendable {
    /// The `paywall_source`.
    let name: String
    /// The app's value.
    let source: any Sendable
    /// The app's type of sources.
    let type: ObjectIdentifier
    let track: @Sendable (EventDraft) -> Void

    init<Source: RawRepresentable<String> & Sendable>(
        _ source: Source,
        track: @escaping @Sendable (EventDraft) -> Void
    ) {
        name = source.rawValue
        self.source = source
        type = ObjectIdentifier(Source.self)
        self.track = track
    }
}
