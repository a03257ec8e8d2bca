import Synchronization

/// A value that one thread sets once, and that any number of tasks can wait for.
final class Promise<Value: Sendable>: Sendable {
    private enum State {
        case pending([CheckedContinuation<Value, Never>])
        case fulfilled(Value)
    }

    private let state = Mutex(State.pending([]))

    /// The value. Waits until it is set.
    nonisolated(nonsending) func value() async -> Value {
        await withCheckedContinuation { continuation in
            let value: Value? = state.withLock { state in
                switch state {
                case .fulfilled(let value):
                    return value
                case .pending(let waiting):
                    state = .pending(waiting + [continuation])
                    return nil
                }
            }
            if let value { continuation.resume(returning: value) }
        }
    }

    /// Sets the value and resumes all tasks that wait for it. A second call does nothing.
    func fulfill(_ value: Value) {
        let waiting = state.withLock { state in
            guard case .pending(let waiting) = state else { return [] as [CheckedContinuation<Value, Never>] }
            state = .fulfilled(value)
            return waiting
        }
        waiting.forEach { $0.resume(returning: value) }
    }
}
