import Synchronization

/// Whether a load balancer may send requests to this collector.
final class Readiness: Sendable {
    private struct State {
        var isBrokerAvailable = false
        var isDraining = false
    }

    /// The reason while the collector shuts down.
    static let draining = "the collector is shutting down"

    private let state = Mutex(State())

    /// Why the collector is not ready; `nil` if it is ready.
    ///
    /// It is ready if the brokers answered the last probe, the topic exists, and no shutdown has begun.
    var reasonNotReady: String? {
        let state = state.withLock { $0 }
        if state.isDraining { return Self.draining }
        return state.isBrokerAvailable ? nil : "Kafka does not answer"
    }

    /// Whether there is no ``reasonNotReady``.
    var isReady: Bool { reasonNotReady == nil }

    /// Whether a shutdown has begun.
    var isDraining: Bool { state.withLock { $0.isDraining } }

    /// Sets whether the brokers answered and have the topic.
    ///
    /// - Returns: whether this is a change.
    func setBroker(isAvailable: Bool) -> Bool {
        state.withLock { state in
            defer { state.isBrokerAvailable = isAvailable }
            return state.isBrokerAvailable != isAvailable
        }
    }

    /// Sets that a shutdown has begun.
    func drain() {
        state.withLock { $0.isDraining = true }
    }
}
