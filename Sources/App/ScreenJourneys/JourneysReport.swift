/// An error of a ``Journeys``, for the app's log.
public enum JourneysReport: Sendable, Hashable {
    /// The database was damaged. It was moved to the path, and a new one replaces it.
    case setAside(path: String, reason: String)
    /// This many visits could not be written, and are lost. Writing is tried again for later visits.
    case notWritten(count: Int, reason: String)
    /// This many visits are lost because the buffer was full. They were the oldest ones.
    case overflow(count: Int)
}

/// Why a query or a change of ``Journeys`` failed.
public struct JourneysError: Error, Hashable, CustomStringConvertible {
    /// The path of the file.
    public let path: String
    /// The message of the file system or of SQLite.
    public let reason: String

    /// The file, the cause, and the remedy.
    public var description: String {
        "journeys at \(path): \(reason). Make sure that its folder exists, is writable and has free space; then try again."
    }
}
