/// A key that lets an app send events: the secret in every request, and the sources that the app may use.
///
/// Its descriptions and reflections do not contain the secret.
public struct WriteKey: Sendable, Hashable {
    /// The name in logs and metrics.
    public let name: String
    /// The `source` values that the key allows, as UTF-8; `nil` where it allows any.
    let sources: [[UInt8]]?
    /// The secret, as UTF-8.
    let secret: [UInt8]

    /// The minimum size of a secret in bytes; a shorter secret could be guessed.
    package static let minimumSecretSize = 20

    /// Creates a key.
    ///
    /// - Parameters:
    ///   - name: the name in logs and metrics, where the secret must not appear.
    ///   - secret: the secret that a request has after `Authorization: Bearer`.
    ///   - sources: the CloudEvents `source` values that the key allows.
    public init(name: String, secret: String, sources: [String]) {
        self.name = name
        self.secret = Array(secret.utf8)
        self.sources = sources.map { Array($0.utf8) }
    }

    /// Creates a key for any `source`, for an app that is being developed.
    package init(name: String, secret: String) {
        self.name = name
        self.secret = Array(secret.utf8)
        sources = nil
    }

    /// Whether the key allows a `source`.
    func allows(_ source: UnsafeRawBufferPointer) -> Bool {
        sources?.contains { $0.elementsEqual(source) } ?? true
    }
}

extension WriteKey: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The name.
    public var description: String { "write key '\(name)'" }
    /// The same as ``description``: without the secret.
    public var debugDescription: String { description }
    /// A mirror without the secret, for `dump` and test failures.
    public var customMirror: Mirror { Mirror(self, children: ["name": name]) }
}
