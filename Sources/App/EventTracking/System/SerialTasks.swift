/// Runs asynchronous operations one after another, in the order of the calls.
///
/// An actor alone does not do that: during every `await` it may start another call.
package final class SerialTasks: Sendable {
    private let last = Locked<Task<Void, Never>?>(nil)

    /// Creates a series without operations.
    package init() {}

    /// Runs an operation after all operations of earlier calls, and returns when it ends.
    package func run(_ operation: @escaping @Sendable () async -> Void) async {
        let task = last.withLock { last in
            let task = Task { [previous = last] in
                await previous?.value
                await operation()
            }
            last = task
            return task
        }
        await task.value
        last.withLock { if $0 == task { $0 = nil } }
    }
}
