#if canImport(os)
import os
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// A value behind a lock, shared by reference.
///
/// It stands for `Synchronization.Mutex`, which Apple's platforms have only since iOS 18 (this package begins at iOS 17),
/// and which the thread sanitizer on Linux cannot see: it reports every use as a race.
package final class Locked<Value: Sendable>: Sendable {
    #if canImport(os)
    private let state: OSAllocatedUnfairLock<Value>

    /// Creates the lock around its first value.
    package init(_ value: Value) {
        state = OSAllocatedUnfairLock(initialState: value)
    }

    /// Runs `body` while nobody else looks at the value. `body` must not come back to the same lock.
    package func withLock<Result: Sendable>(_ body: (inout Value) -> Result) -> Result {
        // Unchecked only says that `body` may capture what is not `Sendable`; it runs here and now.
        state.withLockUnchecked(body)
    }
    #else
    // A mutex must not move in memory, so it has an address of its own. Safe, since POSIX lets all threads use it.
    nonisolated(unsafe) private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    // Safe, since it is touched only by the thread that holds the mutex.
    nonisolated(unsafe) private var value: Value

    /// Creates the lock around its first value.
    package init(_ value: Value) {
        self.value = value
        mutex.initialize(to: pthread_mutex_t())
        // With default attributes neither this nor locking and unlocking in pairs has an error to return.
        pthread_mutex_init(mutex, nil)
    }

    deinit {
        pthread_mutex_destroy(mutex)
        mutex.deinitialize(count: 1)
        mutex.deallocate()
    }

    /// Runs `body` while nobody else looks at the value. `body` must not come back to the same lock.
    package func withLock<Result: Sendable>(_ body: (inout Value) -> Result) -> Result {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        return body(&value)
    }
    #endif
}
