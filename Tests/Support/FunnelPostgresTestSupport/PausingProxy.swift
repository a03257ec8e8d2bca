import Foundation
import Synchronization

/// A proxy between a store and its server that runs code between two statements of the store.
package final class PausingProxy: Sendable {
    /// The directory of the socket, for the URL.
    package var directory: String { proxy.directory }
    private let proxy: UnixProxy
    private let pause: Pause

    private final class Pause: Sendable {
        struct Plan: Sendable {
            var remaining: Int
            let body: @Sendable () -> Void
        }

        let plan = Mutex<Plan?>(nil)

        /// Counts a statement, and runs the plan if it was the last one to wait for.
        func statementEnded() {
            let body: (@Sendable () -> Void)? = plan.withLock { plan in
                guard plan != nil else { return nil }
                plan?.remaining -= 1
                return plan?.remaining == 0 ? plan.take()?.body : nil
            }
            body?()
        }
    }

    /// Listens for clients of the server whose socket is in the directory `upstream`.
    package init(upstream: String) throws {
        let pause = Pause()
        self.pause = pause
        proxy = try UnixProxy(upstream: upstream) {
            let awaitsAnswer = Mutex(false)
            return (
                toServer: { bytes, send in
                    // A simple query, or the parameters of a prepared statement.
                    if bytes.first == UInt8(ascii: "Q") || bytes.first == UInt8(ascii: "B") {
                        awaitsAnswer.withLock { $0 = true }
                    }
                    return send(bytes)
                },
                toClient: { bytes, send in
                    // The server ends each answer with the message ReadyForQuery. Its last byte is the status of the
                    // transaction.
                    let isReady = bytes.suffix(6).dropLast().elementsEqual([UInt8(ascii: "Z"), 0, 0, 0, 5])
                    let isEnd = awaitsAnswer.withLock { awaits in
                        defer { if isReady { awaits = false } }
                        return awaits && isReady
                    }
                    if isEnd { pause.statementEnded() }
                    return send(bytes)
                }
            )
        }
    }

    /// Runs `body` once, when the server has run this many more statements, before the store sees the last answer.
    package func pause(afterStatements count: Int, _ body: @escaping @Sendable () -> Void) {
        pause.plan.withLock { $0 = Pause.Plan(remaining: count, body: body) }
    }

    /// Cancels ``pause(afterStatements:_:)``.
    ///
    /// - Returns: whether it was still waiting.
    @discardableResult
    package func cancel() -> Bool {
        pause.plan.withLock { $0.take() != nil }
    }
}
