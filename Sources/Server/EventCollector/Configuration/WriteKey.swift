/// What lets an app send events: a secret that goes with every request, and the sources that it may speak for.
///
/// Its descriptions and reflections do not show the secret.
public struct WriteKey: Sendable, Hashable {
    /// The key's name, for logs and metrics.
    public let name: String
    /// The `source` values of the events that it may send, as UTF-8.
    let sources: [[UInt8]]
    /// The secret, as UTF-8.
    let secret: [UInt8]

    /// The shortest secret that is taken, in bytes: shorter ones could be guessed.
    public static let minimumSecretSize = 20

    /// Creates a key.
    ///
    /// - Parameters:
    ///   - name: names the key where its secret must not be shown.
    ///   - secret: what a request has after `Authorization: Bearer`.
    ///   - sources: the CloudEvents `source` values that it is for.
    public init(name: String, secret: String, sources: [String]) {
        self.name = name
        self.secret = Array(secret.utf8)
        self.sources = sources.map { Array($0.utf8) }
    }
}

extension WriteKey: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The name.
    public var description: String { "write key '\(name)'" }
    /// The same as ``description``.
    public var debugDescription: String { description }
    /// Shows `dump` and test failures no secret either.
    public var customMirror: Mirror { Mirror(self, children: ["name": name]) }
}
