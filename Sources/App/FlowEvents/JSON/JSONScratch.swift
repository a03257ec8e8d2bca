/// Memory for the unescaped strings of one JSON text. Strings without escapes need no memory.
///
/// Unescaping makes no string longer, and happens once for each string. So the size of the text is always enough, and the
/// memory never moves while values point into it.
package final class JSONScratch {
    private var memory = UnsafeMutableRawBufferPointer(start: nil, count: 0)
    private var used = 0
    private var limit = 0

    /// Creates a scratch without memory. It allocates when a text has escapes, and keeps the memory for the next text.
    package init() {}

    deinit {
        memory.deallocate()
    }

    /// Starts a new text of `count` bytes. Strings of the previous text become invalid.
    func reset(forTextOf count: Int) {
        used = 0
        limit = count
    }

    /// Returns `count` bytes, valid until the next ``reset(forTextOf:)``.
    func take(_ count: Int) -> UnsafeMutableRawBufferPointer {
        if memory.count < limit {
            precondition(used == 0, "the memory is allocated before its first use")
            memory.deallocate()
            memory = .allocate(byteCount: limit, alignment: 1)
        }
        defer { used += count }
        return UnsafeMutableRawBufferPointer(rebasing: memory[used..<used + count])
    }
}
