/// Why a ``DeviceQueue`` could not do what it was asked.
public enum DeviceQueueError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The file makes no sense any more. It stays where it is, and nothing touches it again; the queue goes on in a new
    /// file, with a new install id.
    case damaged(path: String, detail: String)
    /// The file cannot be used now: the disk is full, another process holds it, the device is locked. Events wait in
    /// memory, within the bound of `BatchingConfiguration.maximumQueueCount`, and it is tried again.
    case unavailable(path: String, detail: String)
    /// There is no queue yet and the folder cannot be written. This run keeps its events in memory, under an install
    /// id of its own.
    case notWritable(path: String, detail: String)

    /// What happened, where, and what follows from it.
    public var description: String {
        switch self {
        case .damaged(let path, let detail):
            "\(path): damaged (\(detail)); it is kept as it is, and a new file with a new install id begins beside it"
        case .unavailable(let path, let detail):
            "\(path): cannot be used now (\(detail)); events wait in memory until it can"
        case .notWritable(let path, let detail):
            "\(path): cannot be written (\(detail)); this run keeps its events in memory, make the folder writable"
        }
    }
}
