import Foundation
import ServiceLifecycle

/// Runs the work of a service on a thread of its own. Work that blocks must not hold up the cooperative pool.
package enum ServiceThread {
    /// Runs `body` until it ends, and asks it to stop when the task is canceled or the service is shut down.
    ///
    /// - Parameters:
    ///   - name: the thread's name.
    ///   - end: is set to the result of `body`. Whoever sets it before ends the wait; the thread may go on then.
    ///   - stop: asks `body` to end, and returns at once.
    ///   - body: the work.
    /// - Throws: the error in `end`.
    package static func run(
        named name: String,
        end: FirstValue<Result<Void, any Error>>,
        stop: @escaping @Sendable () -> Void,
        body: @escaping @Sendable () throws -> Void
    ) async throws {
        try await withGracefulShutdownHandler {
            try await withTaskCancellationHandler {
                let thread = Thread { end.set(Result { try body() }) }
                thread.name = name
                thread.start()
                try await end.value().get()
            } onCancel: {
                stop()
            }
        } onGracefulShutdown: {
            stop()
        }
    }
}
