/// An app whose notifications are taken.
public struct AppStoreApp: Sendable, Hashable {
    /// The app's bundle id.
    public var bundleID: String
    /// The app's number in App Store Connect, which notifications of the production environment then must have; `nil` to
    /// take any.
    public var appleID: Int64?
    /// The CloudEvents `source` of the events.
    public var source: String

    /// Creates an app.
    ///
    /// - Parameters:
    ///   - bundleID: the app's bundle id.
    ///   - appleID: the app's number in App Store Connect.
    ///   - source: the source of the events, as the app's own events have it; `nil` for `app://` and the bundle id.
    public init(bundleID: String, appleID: Int64? = nil, source: String? = nil) {
        self.bundleID = bundleID
        self.appleID = appleID
        self.source = source ?? "app://\(bundleID)"
    }
}
