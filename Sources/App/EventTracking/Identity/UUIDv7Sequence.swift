package import FlowEvents

/// Makes ascending UUIDs, also within a millisecond and when the clock is set back.
///
/// This is [RFC 9562 section 6.2](https://www.rfc-editor.org/rfc/rfc9562#section-6.2), method 2: within a millisecond
/// the 74 random bits are one number, which increases by a random amount from 1 to 2¹⁶. While the clock shows an earlier
/// time than the last UUID, the UUIDs keep that time. If the number overflows, the time increases by a millisecond.
package struct UUIDv7Sequence: Sendable {
    private static let lastMillisecond: UInt64 = 1 << 48 - 1
    private var milliseconds: UInt64 = 0
    private var randomA: UInt64 = 0
    private var randomB: UInt64 = 0
    private var hasStarted = false
    /// Random bits for the next increments, and for how many of them. One random number has the bits of four, and takes
    /// longer than everything else here.
    private var increments: UInt64 = 0
    private var incrementCount = 0

    /// Creates a sequence.
    package init() {}

    /// Returns the next UUID, which is greater than all previous ones.
    ///
    /// - Parameters:
    ///   - moment: the time of the UUID, limited to the years 1970 to 10889.
    ///   - random: the source of the random bits.
    package mutating func next(at moment: Timestamp, using random: inout some RandomNumberGenerator) -> UUIDv7 {
        let time = min(UInt64(max(0, moment.milliseconds)), Self.lastMillisecond)
        if !hasStarted || time > milliseconds {
            hasStarted = true
            restart(at: time, using: &random)
        } else {
            increase(using: &random)
        }
        return UUIDv7(milliseconds: milliseconds, randomA: randomA, randomB: randomB)
    }

    private mutating func restart(at time: UInt64, using random: inout some RandomNumberGenerator) {
        milliseconds = time
        randomA = random.next() >> 52
        randomB = random.next() >> 2
    }

    private mutating func increase(using random: inout some RandomNumberGenerator) {
        if incrementCount == 0 {
            increments = random.next()
            incrementCount = 4
        }
        randomB += 1 + increments & 0xFFFF
        increments >>= 16
        incrementCount -= 1
        guard randomB >> 62 != 0 else { return }
        randomB &= 1 << 62 - 1
        randomA += 1
        guard randomA >> 12 != 0 else { return }
        restart(at: milliseconds + 1, using: &random)
    }
}
