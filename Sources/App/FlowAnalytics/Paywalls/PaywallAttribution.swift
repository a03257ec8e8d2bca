public import EventTracking
public import FlowEvents

/// Makes the presentations of an app's paywalls: one for each ``ScreenTracker``, for the app's own type of sources.
///
/// ```swift
/// let paywalls = PaywallAttribution<PaywallSource>(screens)
/// let home = flow.attributed(to: .home, by: paywalls)
/// ```
public struct PaywallAttribution<Source: RawRepresentable<String> & Sendable>: Sendable {
    private let screens: ScreenTracker
    private let ids: IDGenerator
    private let now: @Sendable () -> Timestamp

    /// Creates an attribution.
    ///
    /// - Parameters:
    ///   - screens: what the flows are tracked by; the events of a presentation go where its screen views go.
    ///   - ids: makes the `presentation_id`s.
    ///   - now: the time that goes into an id.
    public init(
        _ screens: ScreenTracker,
        ids: IDGenerator = .uuidV7(),
        now: @escaping @Sendable () -> Timestamp = { .now }
    ) {
        self.screens = screens
        self.ids = ids
        self.now = now
    }

    /// What opens paywalls from a source.
    func opener(from source: Source) -> PaywallOpener {
        PaywallOpener(screens: screens, origin: PaywallOrigin(source, track: screens.track), ids: ids, now: now)
    }
}
