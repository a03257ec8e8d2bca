import Synchronization

/// The write keys that are valid now. They can be replaced while requests are answered.
///
/// An app's key is rotated by having the old and the new one side by side for as long as old versions of the app are in
/// use.
public final class WriteKeys: Sendable {
    private let keys: Mutex<[WriteKey]>

    /// Creates the keys.
    public init(_ keys: [WriteKey]) {
        self.keys = Mutex(keys)
    }

    /// Puts other keys in the place of all that were valid.
    public func replace(with keys: [WriteKey]) {
        self.keys.withLock { $0 = keys }
    }

    /// The key that an `Authorization` header has, or `nil` where it has none that is valid.
    ///
    /// Every key is compared with, whole, so that the time tells nothing about how near a guess was.
    func key(authorization: String?) -> WriteKey? {
        guard let authorization, let space = authorization.firstIndex(of: " ") else { return nil }
        guard authorization[..<space].lowercased() == "bearer" else { return nil }
        let secret = Array(authorization[authorization.index(after: space)...].utf8)
        var found: WriteKey?
        for key in keys.withLock({ $0 }) where Self.isEqual(key.secret, secret) {
            found = key
        }
        return found
    }

    // The length of a secret is no secret. Never inlined, so that no caller's knowledge ends the loop early.
    @inline(never)
    static func isEqual(_ secret: [UInt8], _ guess: [UInt8]) -> Bool {
        guard secret.count == guess.count else { return false }
        var difference: UInt8 = 0
        for index in secret.indices {
            difference |= secret[index] ^ guess[index]
        }
        return difference == 0
    }
}
