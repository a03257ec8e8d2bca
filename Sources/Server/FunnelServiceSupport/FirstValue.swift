import Synchronization

/// A value that several callers may set, of which the first call counts, and that one task waits for.
///
/// ```swift
/// let end = FirstValue<Result<Void, any Error>>()
/// thread.start()                                      // Ends with end.set(.success(())).
/// timer.schedule { end.set(.failure(TimedOut())) }    // Has no effect once the thread has ended.
/// try await end.value().get()
/// ```
package final class FirstValue<Value: Sendable>: Sendable {
    private enum State {
        case unset(waiting: CheckedContinuation<Value, Never>?)
        case set(Value)
    }

    private let state = Mutex(State.unset(waiting: nil))

    /// Creates a value that is not set.
    package init() {}

    /// Whether the value is set.
    package var isSet: Bool {
        state.withLock { state in
            if case .set = state { true } else { false }
        }
    }

    /// Sets the value, unless an earlier call has set it.
    package func set(_ value: Value) {
        let waiting: CheckedContinuation<Value, Never>? = state.withLock { state in
            guard case .unset(let waiting) = state else { return nil }
            state = .set(value)
            return waiting
        }
        waiting?.resume(returning: value)
    }

    /// Waits until the value is set, and returns it. Call it once.
    package func value() async -> Value {
        await withCheckedContinuation { continuation in
            let value: Value? = state.withLock { state in
                if case .set(let value) = state { return value }
                state = .unset(waiting: continuation)
                return nil
            }
            if let value { continuation.resume(returning: value) }
        }
    }
}
