import Logging
import ServiceLifecycle
import UnixSignals
import YAMLNodes

/// A service that reads the write keys again at each SIGHUP.
public struct KeyRotation: Service {
    private let keys: WriteKeys
    private let logger: Logger
    private let read: @Sendable () throws -> [WriteKey]

    /// Creates the service.
    ///
    /// - Parameters:
    ///   - keys: the keys to replace.
    ///   - logger: logs each reading and each failure.
    ///   - read: reads the configured keys. If it throws, the current keys stay valid.
    public init(_ keys: WriteKeys, logger: Logger, read: @escaping @Sendable () throws -> [WriteKey]) {
        self.keys = keys
        self.logger = logger
        self.read = read
    }

    /// Waits for signals until a graceful shutdown.
    public func run() async throws {
        for await _ in await UnixSignalsSequence(trapping: .sighup).cancelOnGracefulShutdown() {
            reload()
        }
    }

    func reload() {
        do {
            let new = try read()
            keys.replace(with: new)
            logger.notice("write keys read again", metadata: ["count": "\(new.count)"])
        } catch {
            logger.error("the write keys stay as they were: \(error)")
        }
    }
}
