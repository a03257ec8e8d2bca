import Foundation
public import FunnelStore
public import Logging
public import ServiceLifecycle
import Synchronization

/// The service: reads a topic's events and keeps the funnels' counts in a store.
///
/// The counts are facts: results, evidence, quality and offsets change in one transaction of the store, so a crash at
/// any instruction loses nothing and counts nothing twice. The work is done on a thread of its own; ``run()`` waits for
/// its end.
///
/// ```swift
/// let consumer = FunnelConsumer(options: options, store: store, logger: logger)
/// try await ServiceGroup(services: [consumer], gracefulShutdownSignals: [.sigterm, .sigint], logger: logger).run()
/// ```
public final class FunnelConsumer: Service {
    private let options: FunnelConsumerOptions
    private let store: any FunnelStore
    private let logger: Logger
    private let isStopped = Atomic(false)
    private let end = RunEnd()
    private let status = ConsumerStatus()
    private let probe: StoreProbe

    /// Creates a consumer that does nothing yet.
    public init(options: FunnelConsumerOptions, store: any FunnelStore, logger: Logger) {
        self.options = options
        self.store = store
        self.logger = logger
        probe = StoreProbe(store: store)
    }

    /// Runs until the end offsets, ``stop()``, or a graceful shutdown; then commits what was read. Called once.
    ///
    /// A store or a broker that does not answer holds up no shutdown: after ``FunnelConsumerOptions/shutdownTimeout`` the
    /// run ends with an error. Its thread may hang on, so the process should end then.
    ///
    /// - Throws: ``FunnelConsumerError``, `StoreError`, `DamagedState`, `KafkaConfigurationError`.
    public func run() async throws {
        try await withGracefulShutdownHandler {
            try await withTaskCancellationHandler {
                let thread = Thread { [self] in end.come(Result { try consume() }) }
                thread.name = "funnel-consumer"
                thread.start()
                try await end.wait()
            } onCancel: {
                stop()
            }
        } onGracefulShutdown: {
            self.stop()
        }
    }

    /// Ends ``run()`` after the batch that is being read; returns at once.
    public func stop() {
        guard !isStopped.exchange(true, ordering: .relaxed) else { return }
        let timeout = options.shutdownTimeout
        DispatchQueue.global().asyncAfter(deadline: .now() + timeout / .seconds(1)) { [end] in
            end.come(.failure(FunnelConsumerError.shutdownTimedOut(timeout)))
        }
    }

    /// Why it is not ready: no partitions are assigned, or the store does not answer; `nil` where it is.
    ///
    /// It asks the store, and answers within seconds whatever the store does.
    public func reasonNotReady() async -> String? {
        if let reason = status.reasonNotReady { return reason }
        return await probe.failure()
    }

    private func consume() throws {
        let loop = try ConsumerLoop(options: options, store: store, logger: logger, status: status) { [self] in
            isStopped.load(ordering: .relaxed)
        }
        try loop.run()
    }
}
