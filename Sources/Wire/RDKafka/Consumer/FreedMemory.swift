import CRDKafka

/// The memory that was freed in this process and that the C library keeps for later.
package enum FreedMemory {
    /// Returns the memory to the system.
    ///
    /// glibc keeps what is freed between two blocks in use. After a load of large responses that is most of the process's
    /// memory. Takes some tens of milliseconds for a gigabyte. Other C libraries return freed memory by themselves.
    package static func returnToSystem() {
        crdkafka_return_freed_memory()
    }
}
