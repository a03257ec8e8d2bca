package import Logging

/// A log handler that passes on a library's warnings and errors without the metadata of each request. An ordinary
/// logger formats that metadata for every request, even if it logs nothing.
package struct WarningsOnly: LogHandler {
    private let logger: Logger

    /// Creates a handler that passes on to a logger.
    package init(_ logger: Logger) {
        self.logger = logger
    }

    /// The level of the logger, at least `warning`.
    package var logLevel: Logger.Level {
        get { max(logger.logLevel, .warning) }
        // Only the service sets the level.
        set {}
    }

    /// Empty.
    package var metadata: Logger.Metadata {
        get { [:] }
        set {}
    }

    /// `nil`.
    package subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { nil }
        set {}
    }

    /// Passes a line on, unless it says that the library's task was canceled, or that its server was closed already:
    /// Hummingbird calls that an error, but it follows from the end of another service, which has its own message.
    package func log(event: LogEvent) {
        let message = event.message.description
        guard !message.hasSuffix("CancellationError()"), !message.hasSuffix("Already closed") else { return }
        logger.log(level: event.level, event.message, metadata: event.metadata)
    }
}
