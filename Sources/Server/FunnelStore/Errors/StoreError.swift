public import Funnels

/// An error of a store: a code for programs, and a message for people that names the store and the way out.
///
/// ```swift
/// do {
///     try store.commit(commit)
/// } catch where error.code == .unavailable {
///     // Try again later.
/// }
/// ```
public struct StoreError: Error, Sendable, Hashable, CustomStringConvertible {
    /// What kind of error it is. More codes may be added.
    public struct Code: RawRepresentable, Sendable, Hashable {
        /// The code's name.
        public let rawValue: String

        /// Creates a code from its name.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// There is no store to read at the location, or no consumer has counted in it yet.
        public static let missing = Code(rawValue: "missing")
        /// The store is damaged, or belongs to another program.
        public static let unusable = Code(rawValue: "unusable")
        /// The store was written by an older version of this program, whose stores this one cannot read.
        public static let older = Code(rawValue: "older")
        /// The store was written by a newer version of this program.
        public static let newer = Code(rawValue: "newer")
        /// The store belongs to another cluster, topic or set of funnels.
        public static let otherData = Code(rawValue: "other_data")
        /// The store's URL cannot be read.
        public static let invalidURL = Code(rawValue: "invalid_url")
        /// The store cannot be reached, is locked, or cannot be written.
        public static let unavailable = Code(rawValue: "unavailable")
    }

    /// What kind of error it is.
    public let code: Code
    /// A sentence that names the store, what is wrong and what to do.
    public let message: String
    /// The differences between the funnels file and the store, if they are the error. A rebuild can end them.
    public let changes: FunnelChanges?

    /// Creates an error.
    public init(_ code: Code, _ message: String, changes: FunnelChanges? = nil) {
        self.code = code
        self.message = message
        self.changes = changes
    }

    /// The message.
    public var description: String { message }
}

extension StoreError {
    /// Creates an error with ``Code/missing``.
    public static func missing(_ message: String) -> StoreError { StoreError(.missing, message) }
    /// Creates an error with ``Code/unusable``.
    public static func unusable(_ message: String) -> StoreError { StoreError(.unusable, message) }
    /// Creates an error with ``Code/older``.
    public static func older(_ message: String) -> StoreError { StoreError(.older, message) }
    /// Creates an error with ``Code/newer``.
    public static func newer(_ message: String) -> StoreError { StoreError(.newer, message) }
    /// Creates an error with ``Code/otherData``.
    public static func otherData(_ message: String) -> StoreError { StoreError(.otherData, message) }
    /// Creates an error with ``Code/invalidURL``.
    public static func invalidURL(_ message: String) -> StoreError { StoreError(.invalidURL, message) }
    /// Creates an error with ``Code/unavailable``.
    public static func unavailable(_ message: String) -> StoreError { StoreError(.unavailable, message) }
}
