/// Why a ``DeviceQueue`` could not read or write its files.
public struct DeviceQueueError: Error, Sendable, Hashable, CustomStringConvertible {
    /// What kind of failure it is, for programs.
    public let code: Code
    /// The path of the file or folder.
    public let path: String
    /// The cause, for people.
    public let detail: String

    /// The file, the cause, and the consequence.
    public var description: String {
        switch code {
        case .damaged:
            "\(path): damaged (\(detail)); the file stays unchanged, a new file with a new install id replaces it"
        case .unavailable:
            "\(path): cannot be used now (\(detail)); events wait in memory until it can"
        case .notWritable:
            "\(path): cannot be written (\(detail)); this run keeps its events in memory, make the folder writable"
        default:
            "\(path): \(code.rawValue) (\(detail))"
        }
    }
}

extension DeviceQueueError {
    /// The kind of a ``DeviceQueueError``. Later releases may add codes.
    public struct Code: RawRepresentable, Sendable, Hashable {
        /// The name.
        public let rawValue: String

        /// Creates a code from its name.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// The file is damaged. The queue leaves it unchanged and continues in a new file, with a new install id.
        public static let damaged = Code(rawValue: "damaged")
        /// The file cannot be used now: the disk is full, another process has locked it, or the device is locked. Events
        /// wait in memory, at most `BatchingConfiguration.maximumQueueCount` of them, and the queue tries again.
        public static let unavailable = Code(rawValue: "unavailable")
        /// There is no queue yet, and the folder cannot be written. This run keeps its events in memory, with a
        /// temporary install id.
        public static let notWritable = Code(rawValue: "not_writable")
    }

    static func damaged(path: String, detail: String) -> DeviceQueueError {
        DeviceQueueError(code: .damaged, path: path, detail: detail)
    }

    static func unavailable(path: String, detail: String) -> DeviceQueueError {
        DeviceQueueError(code: .unavailable, path: path, detail: detail)
    }

    static func notWritable(path: String, detail: String) -> DeviceQueueError {
        DeviceQueueError(code: .notWritable, path: path, detail: detail)
    }
}
