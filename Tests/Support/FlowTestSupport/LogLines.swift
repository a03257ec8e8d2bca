package import Logging
import Synchronization

/// Collects the lines of a log, of every level and from any thread.
///
/// ```swift
/// let lines = LogLines()
/// try await cluster.count(funnels, into: store, logger: lines.logger)
/// #expect(lines.contains("reading again"))
/// ```
package final class LogLines: Sendable {
    private let lines = Mutex<[String]>([])

    package init() {}

    /// A logger that writes into the lines: level, message and metadata, as in `warning trying again [:]`.
    package var logger: Logger {
        HookLogHandler.logger { event in
            self.lines.withLock { $0.append("\(event.level) \(event.message) \(event.metadata ?? [:])") }
        }
    }

    /// The lines so far.
    package var all: [String] { lines.withLock { $0 } }

    /// Whether a line contains a text.
    package func contains(_ part: String) -> Bool { all.contains { $0.contains(part) } }
}

/// Runs a closure for each line of a log, on the thread that writes it, so that a test can act in the middle of a run.
package struct HookLogHandler: LogHandler {
    private let onLine: @Sendable (LogEvent) -> Void
    package var metadata: Logger.Metadata = [:]
    package var logLevel = Logger.Level.trace

    package subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    package func log(event: LogEvent) { onLine(event) }

    /// Returns a logger that runs the closure for each line.
    package static func logger(_ onLine: @escaping @Sendable (LogEvent) -> Void) -> Logger {
        Logger(label: "test") { _ in HookLogHandler(onLine: onLine) }
    }
}
