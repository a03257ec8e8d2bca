#if canImport(os)
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// The system's random numbers. On Linux it reads several at once.
///
/// There, each number would be a system call, which takes longer than the rest of making an id. Apple's generator needs
/// no system call.
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
    // The maximum that `getentropy` returns.
    private static let count = 256 / MemoryLayout<UInt64>.size

    private mutating func refill() {
        pool.append(contentsOf: repeatElement(0, count: Self.count))
        let error = pool.withUnsafeMutableBytes { getentropy($0.baseAddress, $0.count) }
        // Without `getentropy` the pool stays empty, and each number is a call of its own.
        if error != 0 { pool.removeAll() }
    }
    #endif
}
