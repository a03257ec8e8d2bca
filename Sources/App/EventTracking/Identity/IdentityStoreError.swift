/// Why an ``IdentityStore`` could not load or save an identity.
public struct IdentityStoreError: Error, Sendable, Hashable, CustomStringConvertible {
    /// What kind of failure it is, for programs.
    public let code: Code
    /// The path of the file.
    public let path: String
    /// The path that a damaged file was moved to; `nil` for the other codes.
    public let movedTo: String?
    /// The cause, for people.
    public let detail: String

    /// Creates an error.
    public init(_ code: Code, path: String, movedTo: String? = nil, detail: String) {
        self.code = code
        self.path = path
        self.movedTo = movedTo
        self.detail = detail
    }

    /// The file, the cause, and the consequence.
    public var description: String {
        switch code {
        case .damaged:
            "\(path): not an identity (\(detail)); moved to \(movedTo ?? path), the app gets a new install id"
        case .unreadable:
            "\(path): cannot be read now (\(detail)); events wait in memory until it can, make the file readable"
        case .notSaved:
            "\(path): cannot be written (\(detail)); events have no sequence until the file and its folder are writable"
        default:
            "\(path): \(code.rawValue) (\(detail))"
        }
    }
}

extension IdentityStoreError {
    /// The kind of an ``IdentityStoreError``. Later releases may add codes.
    public struct Code: RawRepresentable, Sendable, Hashable {
        /// The name.
        public let rawValue: String

        /// Creates a code from its name.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// The saved identity is damaged. It was moved to ``IdentityStoreError/movedTo``. The tracker creates and saves
        /// a new identity.
        public static let damaged = Code(rawValue: "damaged")
        /// The saved identity cannot be read now. The file is unchanged. Events wait in memory until it can be read.
        public static let unreadable = Code(rawValue: "unreadable")
        /// The identity could not be saved. Events have no `sequence` until a save succeeds.
        public static let notSaved = Code(rawValue: "not_saved")
    }
}
