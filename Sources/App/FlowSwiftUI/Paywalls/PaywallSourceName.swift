public import FlowAnalytics

/// Where a paywall was opened from, as its events name it: the raw value of the app's own source.
public struct PaywallSourceName: RawRepresentable, Hashable, Sendable {
    /// The `paywall_source`.
    public let rawValue: String

    /// Creates a name.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }
}

extension EnvironmentValues {
    /// The presentation of the paywall around a view; `nil` outside of a paywall.
    ///
    /// ```swift
    /// struct PaywallView: View {
    ///     @Environment(\.paywall) private var paywall
    ///     var body: some View {
    ///         Button("Choose a year") { paywall?.track("plan_selected", properties: ["plan": "year"]) }
    ///     }
    /// }
    /// ```
    ///
    /// Keep the value with what the user has begun, such as a purchase: its events keep the source, however late they come.
    public var paywall: Presentation<PaywallSourceName>? {
        get { self[PaywallKey.self] }
        set { self[PaywallKey.self] = newValue }
    }
}

private enum PaywallKey: EnvironmentKey {
    static let defaultValue: Presentation<PaywallSourceName>? = nil
}
