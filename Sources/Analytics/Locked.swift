#if canImport(os)
import os
#else
import Synchronization
#endif

/// A value behind a lock, shared by reference.
///
/// It stands for `Synchronization.Mutex`, which Apple's platforms have since iOS 18; this package begins at iOS 17.
package final class Locked<Value: Sendable>: Sendable {
    #if canImport(os)
    private let state: OSAllocatedUnfairLock<Value>
    #else
    private let state: Mutex<Value>
    #endif

    /// Creates the lock around its first value.
    package init(_ value: Value) {
        #if canImport(os)
        state = OSAllocatedUnfairLock(initialState: value)
        #else
        state = Mutex(value)
        #endif
    }

    /// Runs `body` while nobody else looks at the value. `body` must not come back to the same lock.
    package func withLock<Result: Sendable>(_ body: (inout Value) -> Result) -> Result {
        #if canImport(os)
        // Unchecked only says that `body` may capture what is not `Sendable`; it runs here and now.
        state.withLockUnchecked(body)
        #else
        state.withLock { body(&$0) }
        #endif
    }
}
