/// Why an ``IdentityStore`` could not do what it was asked.
public enum IdentityStoreError: Error, Sendable, Hashable, CustomStringConvertible {
    /// What was kept makes no sense. It was moved to `setAside`, and a new identity begins.
    case damaged(path: String, setAside: String, detail: String)
    /// What was kept cannot be read now; it was left as it is. The run goes on with an identity that is not kept.
    case unreadable(path: String, detail: String)
    /// The identity could not be kept. Events are sent without a `sequence` until it can.
    case notSaved(path: String, detail: String)

    /// What happened, where, and what follows from it.
    public var description: String {
        switch self {
        case .damaged(let path, let setAside, let detail):
            "\(path): not an identity (\(detail)); moved to \(setAside), a new install id begins"
        case .unreadable(let path, let detail):
            "\(path): cannot be read (\(detail)); this run has an install id of its own, make the file readable"
        case .notSaved(let path, let detail):
            "\(path): cannot be written (\(detail)); events have no sequence until the file and its folder are writable"
        }
    }
}
