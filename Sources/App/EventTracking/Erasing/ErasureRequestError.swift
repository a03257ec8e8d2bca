/// Why ``Tracker/requestErasure()`` did not keep a request. Nothing has changed then.
public struct ErasureRequestError: Error, Sendable, Hashable, CustomStringConvertible {
    /// What kind of failure it is, for programs.
    public let code: Code
    /// The cause and the way out, for people.
    public let description: String
}

extension ErasureRequestError {
    /// The kind of an ``ErasureRequestError``. Later releases may add codes.
    public struct Code: RawRepresentable, Sendable, Hashable {
        /// The name.
        public let rawValue: String

        /// Creates a code from its name.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// The user has opted out, which deleted the install id on the device: nobody knows here what to erase.
        public static let optedOut = Code(rawValue: "opted_out")
        /// The install id cannot be read now, as on a phone before it is first unlocked.
        public static let unreadable = Code(rawValue: "unreadable")
        /// The request could not be saved.
        public static let notSaved = Code(rawValue: "not_saved")
    }

    package static var optedOut: ErasureRequestError {
        ErasureRequestError(
            code: .optedOut,
            description: """
                the user has opted out, which deleted the install id on this device: ask for the erasure before opting out, or \
                erase the user's installs on the server with `funnel-consumer erase --user`
                """
        )
    }

    package static var unreadable: ErasureRequestError {
        ErasureRequestError(
            code: .unreadable,
            description: "the install id cannot be read now, so nobody knows what to erase: ask again later"
        )
    }

    static func notSaved(_ cause: any Error) -> ErasureRequestError {
        ErasureRequestError(
            code: .notSaved,
            description: "the request could not be saved (\(cause)): make its folder writable, and ask again"
        )
    }
}
