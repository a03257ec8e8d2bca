#if canImport(os)
import os
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// A value behind a lock, shared by reference.
///
/// `Synchronization.Mutex` needs iOS 18, and this package supports iOS 17. Also, the thread sanitizer on Linux reports
/// every use of `Mutex` as a race.
package final class Locked<Value: Sendable>: Sendable {
    #if canImport(os)
    private let state: OSAllocatedUnfairLock<Value>

    /// Creates a lock with its initial value.
    package init(_ value: Value) {
        state = OSAllocatedUnfairLock(initialState: value)
    }

    /// Runs `body` with exclusive access to the value. `body` must not use the same lock.
    package func withLock<Result: Sendable>(_ body: (inout Value) -> Result) -> Result {
        // Unchecked, because `body` may capture values that are not `Sendable`. It runs before this call returns.
        state.withLockUnchecked(body)
    }
    #else
    // A mutex must not move in memory, so it is allocated. Safe, because POSIX lets all threads use it.
    nonisolated(unsafe) private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    // Safe, because only the thread that holds the mutex uses it. In memory of its own, because Swift checks each access
    // to a property of an object for overlaps, which the mutex excludes already.
    nonisolated(unsafe) private let value = UnsafeMutablePointer<Value>.allocate(capacity: 1)

    /// Creates a lock with its initial value.
    package init(_ value: Value) {
        self.value.initialize(to: value)
        mutex.initialize(to: pthread_mutex_t())
        // With default attributes, neither this call nor locking and unlocking in pairs can fail.
        pthread_mutex_init(mutex, nil)
    }

    deinit {
        pthread_mutex_destroy(mutex)
        mutex.deinitialize(count: 1)
        mutex.deallocate()
        value.deinitialize(count: 1)
        value.deallocate()
    }

    /// Runs `body` with exclusive access to the value. `body` must not use the same lock.
    package func withLock<Result: Sendable>(_ body: (inout Value) -> Result) -> Result {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        return body(&value.pointee)
    }
    #endif
}
