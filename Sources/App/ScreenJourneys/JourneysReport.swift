/// What went wrong with a ``Journeys``, for the app's log.
public enum JourneysReport: Sendable, Hashable {
    /// The database was damaged. It is at this path now, and a new one has been begun.
    case setAside(path: String, reason: String)
    /// So many visits could not be written, and are lost. The next ones are tried again.
    case notWritten(count: Int, reason: String)
    /// So many visits came faster than they could be written, and are lost: the oldest of those that waited.
    case overflow(count: Int)
}

/// A question or a change of ``Journeys`` that failed.
public struct JourneysError: Error, Hashable, CustomStringConvertible {
    /// The file that it is about.
    public let path: String
    /// What the file system or SQLite said.
    public let reason: String

    /// The file, what is wrong with it, and what to do.
    public var description: String {
        "journeys at \(path): \(reason). Check that its folder exists, can be written and has room; then ask again."
    }
}
