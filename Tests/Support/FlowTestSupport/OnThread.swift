import Foundation

/// Runs work that blocks on a thread of its own, so that it does not take a thread from the tests that run beside it.
///
/// Swift's pool has as many threads as the machine has cores. A test that waits in it for a store or a broker stops all
/// tests that wait for something by `await`.
package func onThread<Value: Sendable>(_ work: @escaping @Sendable () throws -> Value) async throws -> Value {
    try await withCheckedThrowingContinuation { continuation in
        Thread.detachNewThread { continuation.resume(with: Result { try work() }) }
    }
}
