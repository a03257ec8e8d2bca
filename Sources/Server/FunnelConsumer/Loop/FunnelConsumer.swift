import Foundation
import FunnelServiceSupport
import Funnels
public import FunnelStore
public import Logging
public import ServiceLifecycle
import Synchronization

/// The service that reads a topic's events and keeps the funnels' counts in a store.
///
/// ```swift
/// let consumer = FunnelConsumer(options: options, store: store, logger: logger)
/// try await ServiceGroup(services: [consumer], gracefulShutdownSignals: [.sigterm, .sigint], logger: logger).run()
/// ```
///
/// Results, evidence, quality counts and offsets change in one transaction of the store, so a crash at any instruction
/// loses nothing and counts nothing twice. The work runs on a thread of its own; ``run()`` waits for that thread.
public final class FunnelConsumer: Service {
    private let options: FunnelConsumerOptions
    private let store: any FunnelStore
    private let logger: Logger
    private let isStopped = Atomic(false)
    private let end = FirstValue<Result<Void, any Error>>()
    private let readiness = ConsumerReadiness()
    private let probe: StoreProbe

    /// Creates a consumer. It does nothing before ``run()``.
    public init(options: FunnelConsumerOptions, store: any FunnelStore, logger: Logger) {
        self.options = options
        self.store = store
        self.logger = logger
        probe = StoreProbe(store: store)
    }

    /// Runs until the end offsets, ``stop()``, or a graceful shutdown, then commits what was read. Call it once.
    ///
    /// A store or a broker that does not answer does not block a shutdown: after
    /// ``FunnelConsumerOptions/shutdownTimeout`` the run ends with an error. The thread may still be blocked then, so
    /// the process should end.
    ///
    /// - Throws: ``FunnelConsumerError``, `StoreError`, `KafkaConfigurationError`, and the errors of
    ///   ``FunnelConsumerOptions/rereadFunnels``.
    public func run() async throws {
        try await ServiceThread.run(named: "funnel-consumer", end: end) {
            self.stop()
        } body: {
            try self.consume()
        }
    }

    /// Asks ``run()`` to end after the current batch, and returns at once.
    public func stop() {
        guard !isStopped.exchange(true, ordering: .relaxed) else { return }
        let timeout = options.shutdownTimeout
        DispatchQueue.global().asyncAfter(deadline: .now() + timeout / .seconds(1)) { [end, readiness, store] in
            let error = FunnelConsumerError.shutdownTimedOut(timeout, waitingFor: readiness.wait, outage: store.outage)
            end.set(.failure(error))
        }
        store.stopWaiting()
    }

    /// Returns why the consumer is not ready, or `nil` if partitions are assigned and the store answers.
    ///
    /// It asks the store, and returns within seconds even if the store does not answer.
    public func reasonNotReady() async -> String? {
        if let reason = readiness.reasonNotReady { return store.outage?.message ?? reason }
        return await probe.failure()
    }

    private func consume() throws {
        let loop = try ConsumerLoop(options: options, store: store, logger: logger, readiness: readiness) { [self] in
            isStopped.load(ordering: .relaxed)
        }
        do {
            try loop.run { options.onRead?($0) }
        } catch let error as DamagedState {
            throw StoreError.unusable(
                "the store is damaged (the row of the install '\(error.install)' cannot be read): restore a backup, or count "
                    + "again into a new store"
            )
        }
    }
}
