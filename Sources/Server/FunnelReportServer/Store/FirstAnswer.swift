import Synchronization

/// A value that is set once, for one task that waits for it. Later values are ignored.
final class FirstAnswer<Value: Sendable>: Sendable {
    private enum State {
        case empty
        case waiting(CheckedContinuation<Value, any Error>)
        case set(Result<Value, any Error>)
    }

    private let state = Mutex(State.empty)

    var isThere: Bool {
        state.withLock { state in
            if case .set = state { true } else { false }
        }
    }

    func set(_ result: Result<Value, any Error>) {
        let waiting = state.withLock { state -> CheckedContinuation<Value, any Error>? in
            defer {
                if case .set = state {} else { state = .set(result) }
            }
            guard case .waiting(let continuation) = state else { return nil }
            return continuation
        }
        waiting?.resume(with: result)
    }

    func value() async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            let result = state.withLock { state -> Result<Value, any Error>? in
                if case .set(let result) = state { return result }
                state = .waiting(continuation)
                return nil
            }
            if let result { continuation.resume(with: result) }
        }
    }
}
