import Foundation
package import Logging

extension Logger {
    /// Creates a program's logger, which writes to standard error from the level `LOG_LEVEL` of the environment on,
    /// else from `info` on.
    ///
    /// - Parameter name: the program's name.
    package static func command(_ name: String) -> Logger {
        var logger = Logger(label: name) { StreamLogHandler.standardError(label: $0) }
        logger.logLevel = .info
        guard let text = ProcessInfo.processInfo.environment["LOG_LEVEL"], !text.isEmpty else { return logger }
        if let level = Level(rawValue: text.lowercased()) {
            logger.logLevel = level
        } else {
            let levels = Level.allCases.map(\.rawValue).joined(separator: ", ")
            logger.warning("LOG_LEVEL: expected one of \(levels), found '\(text)'; the level is info")
        }
        return logger
    }
}
