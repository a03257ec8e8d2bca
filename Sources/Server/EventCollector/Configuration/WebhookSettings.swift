public import StoreNotifications
public import X509

/// What stores' servers may post, and to which topic goes what has no install.
public struct WebhookSettings: Sendable, Hashable {
    /// The App Store's notifications; `nil` to take none.
    public var appStore: AppStoreSettings?
    /// RevenueCat's webhooks; `nil` to take none.
    public var revenueCat: RevenueCatSettings?
    /// Whether purchases of a sandbox become events.
    public var takesSandbox = false

    /// Creates the default settings: no webhook.
    public init() {}
}

/// Whose notifications of the App Store are taken.
public struct AppStoreSettings: Sendable, Hashable {
    /// The certificates that signatures must lead to.
    public var roots: [Certificate]
    /// The apps.
    public var apps: [AppStoreApp]

    /// Creates the settings.
    public init(roots: [Certificate], apps: [AppStoreApp]) {
        self.roots = roots
        self.apps = apps
    }
}

/// Whose webhooks of RevenueCat are taken. Descriptions and reflections do not contain the secret.
public struct RevenueCatSettings: Sendable, Hashable {
    /// The CloudEvents `source` of the events.
    public var source: String
    /// The value of the header `Authorization`.
    let authorization: String

    /// Creates the settings.
    public init(authorization: String, source: String) {
        self.authorization = authorization
        self.source = source
    }
}

extension RevenueCatSettings: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The source.
    public var description: String { "RevenueCat's webhooks for '\(source)'" }
    /// The same as ``description``: without the secret.
    public var debugDescription: String { description }
    /// A mirror without the secret, for `dump` and test failures.
    public var customMirror: Mirror { Mirror(self, children: ["source": source]) }
}
