import Foundation
package import Logging

extension Logger {
    /// Creates a program's logger, which writes to standard error from the level `LOG_LEVEL` of the environment on, else from
    /// `info` on.
    ///
    /// - Parameter name: the program's name.
    package static func command(_ name: String) -> Logger {
        var logger = Logger(label: name) { StreamLogHandler.standardError(label: $0) }
        let level = ProcessInfo.processInfo.environment["LOG_LEVEL"]
        logger.logLevel = level.flatMap { Logger.Level(rawValue: $0.lowercased()) } ?? .info
        return logger
    }
}
