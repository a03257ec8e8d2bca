import Synchronization

/// Whether a load balancer should send requests here.
final class Readiness: Sendable {
    private struct State {
        var isBrokerThere = false
        var isDraining = false
    }

    private let state = Mutex(State())

    /// Whether the topic's brokers answered last time, and no shutdown has begun.
    var isReady: Bool { state.withLock { $0.isBrokerThere && !$0.isDraining } }

    /// Whether a shutdown has begun.
    var isDraining: Bool { state.withLock { $0.isDraining } }

    /// Enters whether the brokers answered; `true` where that is news.
    func setBroker(isThere: Bool) -> Bool {
        state.withLock { state in
            defer { state.isBrokerThere = isThere }
            return state.isBrokerThere != isThere
        }
    }

    /// Enters that a shutdown has begun.
    func drain() {
        state.withLock { $0.isDraining = true }
    }
}
