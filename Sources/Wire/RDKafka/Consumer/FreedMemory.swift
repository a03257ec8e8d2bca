import CRDKafka
import Foundation

/// The memory that was freed in this process and that the C library keeps for later.
package enum FreedMemory {
    /// Returns the memory to the system.
    ///
    /// glibc keeps what is freed between two blocks in use. After a load of large responses that is most of the process's
    /// memory. Takes some tens of milliseconds for a gigabyte. Other C libraries return freed memory by themselves.
    package static func returnToSystem() {
        crdkafka_return_freed_memory()
    }

    /// Lets all threads of the process use what one of them has freed. Call it before threads are started.
    ///
    /// glibc gives each thread one of up to eight arenas for each core. Memory that is freed in one arena serves only that
    /// arena. Several threads make a consumer's rows in turn: with two arenas instead of 16 it needed a fifth less memory,
    /// and no more processor time. `MALLOC_ARENA_MAX` overrides it.
    package static func shareAmongThreads() {
        if ProcessInfo.processInfo.environment["MALLOC_ARENA_MAX"] == nil { crdkafka_share_memory() }
    }
}
