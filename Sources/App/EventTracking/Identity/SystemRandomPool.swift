#if canImport(os)
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// The system's random numbers, of which Linux is asked for several at a time.
///
/// There each number is a system call of its own, which takes longer than all else of an id. Apple's generator works
/// within the process.
struct SystemRandomPool: RandomNumberGenerator, Sendable {
    private var system = SystemRandomNumberGenerator()
    private var pool: [UInt64] = []

    mutating func next() -> UInt64 {
        #if !canImport(os)
        if pool.isEmpty { refill() }
        #endif
        return pool.popLast() ?? system.next()
    }

    #if !canImport(os)
    // As many bytes as getentropy gives at most.
    private static let count = 256 / MemoryLayout<UInt64>.size

    private mutating func refill() {
        pool.append(contentsOf: repeatElement(0, count: Self.count))
        let error = pool.withUnsafeMutableBytes { getentropy($0.baseAddress, $0.count) }
        // A kernel without it leaves the pool empty, and each number is asked for by itself.
        if error != 0 { pool.removeAll() }
    }
    #endif
}
