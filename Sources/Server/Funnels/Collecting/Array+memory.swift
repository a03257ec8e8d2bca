extension Array {
    /// The memory that the array has allocated for its elements, in bytes, without what they refer to.
    ///
    /// The standard library puts a header of 32 bytes before the elements; the allocator adds one of 8 bytes and rounds
    /// up to 16.
    var allocatedByteCount: Int {
        capacity == 0 ? 0 : (32 + capacity * MemoryLayout<Element>.stride + 8 + 15) / 16 * 16
    }
}
