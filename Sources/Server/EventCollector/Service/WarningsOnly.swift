import Logging

/// A log handler that passes on a library's warnings and errors without the metadata of each request. An ordinary
/// logger formats that metadata for every request, even if it logs nothing.
struct WarningsOnly: LogHandler {
    private let logger: Logger

    init(_ logger: Logger) {
        self.logger = logger
    }

    var logLevel: Logger.Level {
        get { max(logger.logLevel, .warning) }
        // Only the collector sets the level.
        set {}
    }

    var metadata: Logger.Metadata {
        get { [:] }
        set {}
    }

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { nil }
        set {}
    }

    func log(event: LogEvent) {
        logger.log(level: event.level, event.message, metadata: event.metadata)
    }
}
