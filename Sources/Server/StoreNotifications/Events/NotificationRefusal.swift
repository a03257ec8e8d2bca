/// Why a notification is not taken: it cannot be read, or its sender is not who it should be.
public struct NotificationRefusal: Error, Sendable, Hashable, CustomStringConvertible {
    /// What is wrong with a notification.
    public enum Kind: String, Sendable, Hashable, CaseIterable {
        /// It is not in the sender's format, or only a part of it has arrived.
        case unreadable
        /// It is not signed as the sender signs, or has the wrong secret.
        case unauthorized
        /// It is signed, and is about another app or an environment that nobody signs for.
        case foreign
    }

    /// What is wrong, for programs.
    public let kind: Kind
    /// What was found and what was expected, for people. It contains nothing from the notification.
    public let detail: String

    /// Creates a refusal.
    init(_ kind: Kind, _ detail: String) {
        self.kind = kind
        self.detail = detail
    }

    /// The kind and the detail in one line.
    public var description: String { "\(kind.rawValue): \(detail)" }
}
