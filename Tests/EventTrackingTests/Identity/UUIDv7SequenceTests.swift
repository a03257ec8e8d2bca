import EventTracking
import EventTrackingTestKit
import FlowEvents
import Testing

@Suite struct UUIDv7SequenceTests {
    /// Returns numbers whose bits are all 1, so that the sequence overflows.
    private struct Ones: RandomNumberGenerator {
        // Stored, because the thread sanitizer crashes on a value without an address.
        var bits = UInt64.max
        mutating func next() -> UInt64 { bits }
    }

    @Test func `within a millisecond every UUID is greater than the one before and shows the same time`() {
        var random = SeededRandom(seed: 7)
        var sequence = UUIDv7Sequence()
        let moment = Timestamp(milliseconds: 1_795_342_530_123)
        let made = (0..<10_000).map { _ in sequence.next(at: moment, using: &random) }
        #expect(zip(made, made.dropFirst()).allSatisfy { $0 < $1 })
        #expect(made.allSatisfy { $0.milliseconds == 1_795_342_530_123 })
    }

    @Test func `a clock that goes back still gives greater UUIDs`() {
        var random = SeededRandom(seed: 8)
        var sequence = UUIDv7Sequence()
        let moments: [Int64] = [2000, 1000, 1999, 2000, 2001, -5]
        let made = moments.map { sequence.next(at: Timestamp(milliseconds: $0), using: &random) }
        #expect(zip(made, made.dropFirst()).allSatisfy { $0 < $1 })
        #expect(made.map(\.milliseconds) == [2000, 2000, 2000, 2000, 2001, 2001])
    }

    @Test func `when the random bits overflow, the time runs ahead by a millisecond`() {
        var random = Ones()
        var sequence = UUIDv7Sequence()
        let first = sequence.next(at: Timestamp(milliseconds: 1000), using: &random)
        let second = sequence.next(at: Timestamp(milliseconds: 1000), using: &random)
        #expect(first.milliseconds == 1000)
        #expect(second.milliseconds == 1001)
        #expect(first < second)
    }

    @Test func `a moment before 1970 is shown as 1970`() {
        var random = SeededRandom(seed: 9)
        var sequence = UUIDv7Sequence()
        #expect(sequence.next(at: Timestamp(milliseconds: -1), using: &random).milliseconds == 0)
    }

    @Test func `a new millisecond has new random bits from the given source`() {
        var expected = SeededRandom(seed: 10)
        let bits = (0..<4).map { _ in expected.next() }
        var random = SeededRandom(seed: 10)
        var sequence = UUIDv7Sequence()
        let made = [5, 6].map { sequence.next(at: Timestamp(milliseconds: $0), using: &random) }
        #expect(made[0] == UUIDv7(milliseconds: 5, randomA: bits[0] >> 52, randomB: bits[1] >> 2))
        #expect(made[1] == UUIDv7(milliseconds: 6, randomA: bits[2] >> 52, randomB: bits[3] >> 2))
    }
}
