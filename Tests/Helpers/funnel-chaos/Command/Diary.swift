import Foundation
import Synchronization

/// A log file of the torments and their times.
final class Diary: Sendable {
    private let file: Mutex<FileHandle>

    init(path: String) throws {
        try Data().write(to: URL(filePath: path))
        file = Mutex(try FileHandle(forWritingTo: URL(filePath: path)))
    }

    /// Adds a line with the current time. Ignores write errors.
    func add(_ line: String) {
        let time = Date.now.formatted(.iso8601.time(includingFractionalSeconds: true))
        file.withLock { try? $0.write(contentsOf: Data("\(time) \(line)\n".utf8)) }
    }
}
