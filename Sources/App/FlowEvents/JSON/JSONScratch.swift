/// Memory for the strings of one JSON text that cannot be used in place because they contain escapes.
///
/// An unescaped string is never longer than what it was written as, and none is unescaped twice, so that as many bytes
/// as the text has are always enough; and so nothing ever moves while values point to it.
package final class JSONScratch {
    private var memory = UnsafeMutableRawBufferPointer(start: nil, count: 0)
    private var used = 0
    private var limit = 0

    /// Creates an empty scratch; it takes memory when a text with escapes needs it, and keeps it for the next.
    package init() {}

    deinit {
        memory.deallocate()
    }

    /// Starts a new text of `count` bytes. All that was handed out for the one before is gone.
    func reset(forTextOf count: Int) {
        used = 0
        limit = count
    }

    /// Hands out `count` bytes, to be used until the next ``reset(forTextOf:)``.
    func take(_ count: Int) -> UnsafeMutableRawBufferPointer {
        if memory.count < limit {
            precondition(used == 0, "the memory is taken whole before its first use")
            memory.deallocate()
            memory = .allocate(byteCount: limit, alignment: 1)
        }
        defer { used += count }
        return UnsafeMutableRawBufferPointer(rebasing: memory[used..<used + count])
    }
}
