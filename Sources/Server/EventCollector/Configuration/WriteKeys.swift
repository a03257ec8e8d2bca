import FunnelServiceSupport
import Synchronization

/// The valid write keys. They can be replaced while the collector answers requests.
///
/// To rotate the key of an app, configure the old and the new key side by side until no installed version of the app
/// uses the old one.
public final class WriteKeys: Sendable {
    private let keys: Mutex<[WriteKey]>
    /// The key that stands for every other secret.
    private let other: WriteKey?

    /// Creates the set of valid keys.
    public init(_ keys: [WriteKey]) {
        self.keys = Mutex(keys)
        other = nil
    }

    /// Creates a set in which every secret is valid, for an app that is being developed.
    ///
    /// - Parameter key: the key that all secrets stand for.
    package init(acceptingAnyAs key: WriteKey) {
        keys = Mutex([])
        other = key
    }

    /// Replaces all valid keys.
    public func replace(with keys: [WriteKey]) {
        self.keys.withLock { $0 = keys }
    }

    /// The valid key in an `Authorization` header, or `nil` if it has none.
    ///
    /// Compares all bytes with every key, so that the time does not show how much of a guess was right.
    func key(authorization: String?) -> WriteKey? {
        guard let authorization, let space = authorization.firstIndex(of: " ") else { return nil }
        guard authorization[..<space].lowercased() == "bearer" else { return nil }
        return key(secret: String(authorization[authorization.index(after: space)...]))
    }

    /// Returns the key with a secret; `nil` where there is none.
    func key(secret: String) -> WriteKey? {
        let secret = Array(secret.utf8)
        var found: WriteKey?
        // All keys are compared, so that the time does not tell which one is nearly right.
        for key in keys.withLock({ $0 }) where SecretComparison.isEqual(key.secret, secret) {
            found = key
        }
        return found ?? (secret.isEmpty ? nil : other)
    }
}
