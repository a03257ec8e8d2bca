import Synchronization

/// The end of a run, which comes from its thread, or from the deadline of a shutdown if that is earlier. The first counts.
final class RunEnd: Sendable {
    private enum State {
        case open(CheckedContinuation<Void, any Error>?)
        case over(Result<Void, any Error>)
    }

    private let state = Mutex(State.open(nil))

    /// Waits for the end; called once.
    func wait() async throws {
        try await withCheckedThrowingContinuation { continuation in
            let result: Result<Void, any Error>? = state.withLock { state in
                if case .over(let result) = state { return result }
                state = .open(continuation)
                return nil
            }
            if let result { continuation.resume(with: result) }
        }
    }

    func come(_ result: Result<Void, any Error>) {
        let waiting: CheckedContinuation<Void, any Error>? = state.withLock { state in
            guard case .open(let waiting) = state else { return nil }
            state = .over(result)
            return waiting
        }
        waiting?.resume(with: result)
    }
}
