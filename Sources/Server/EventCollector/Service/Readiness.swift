import Synchronization

/// Whether a load balancer may send requests to this collector.
final class Readiness: Sendable {
    private struct State {
        var brokerReason: String? = Readiness.noAnswer
        var isDraining = false
    }

    /// The reason while the collector shuts down.
    static let draining = "the collector is shutting down"
    /// The reason until the brokers have answered.
    private static let noAnswer = "Kafka does not answer"

    private let state = Mutex(State())

    /// Why the collector is not ready; `nil` if it is ready.
    ///
    /// It is ready if the brokers answered the last probe, the topic exists, and no shutdown has begun.
    var reasonNotReady: String? {
        let state = state.withLock { $0 }
        if state.isDraining { return Self.draining }
        return state.brokerReason
    }

    /// Whether there is no ``reasonNotReady``.
    var isReady: Bool { reasonNotReady == nil }

    /// Whether a shutdown has begun.
    var isDraining: Bool { state.withLock { $0.isDraining } }

    /// Sets what is wrong with the brokers or the topic; `nil` if the brokers answered and have the topic.
    ///
    /// - Returns: whether this is a change.
    func setBroker(reasonNotReady reason: String?) -> Bool {
        state.withLock { state in
            defer { state.brokerReason = reason }
            return state.brokerReason != reason
        }
    }

    /// Sets that a shutdown has begun.
    func drain() {
        state.withLock { $0.isDraining = true }
    }
}
