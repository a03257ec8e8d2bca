import Logging

/// Passes on a library's warnings and errors, without what it adds to each request: a logger of the usual kind puts that
/// into words for every request, whether anything is logged or not.
struct WarningsOnly: LogHandler {
    private let logger: Logger

    init(_ logger: Logger) {
        self.logger = logger
    }

    var logLevel: Logger.Level {
        get { max(logger.logLevel, .warning) }
        // The level is the collector's to set.
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
