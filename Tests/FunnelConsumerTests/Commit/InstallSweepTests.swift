import FlowEvents
import Funnels
import Testing

@testable import FunnelConsumer

@Suite struct InstallSweepTests {
    private let day: Int64 = 86_400_000
    private var sweep = InstallSweep()

    /// Asks on a day, and takes note of so many rows where it is due.
    private mutating func look(day number: Int64, _ milliseconds: Int64 = 0, rows count: Int = 0) -> Bool {
        let horizon = Timestamp(milliseconds: number * day + milliseconds)
        guard sweep.isDue(horizon: horizon) else { return false }
        sweep.advance(
            over: (0..<count).map { StoredInstall(install: Array("i\($0)".utf8), version: 1, state: []) }
        )
        return true
    }

    @Test mutating func `a pass goes on from commit to commit until the rows end`() {
        let first = look(day: 7, rows: 500)
        #expect(first && sweep.last == Array("i499".utf8))
        // A batch of large rows is smaller.
        let second = look(day: 7, rows: 12)
        #expect(second && sweep.last == Array("i11".utf8))
        let third = look(day: 7)
        #expect(third && sweep.last == nil)
        let fourth = look(day: 7, 5)
        #expect(!fourth)
    }

    @Test mutating func `the next pass begins when the horizon has come to another day`() {
        let looks = [look(day: 7, 100), look(day: 8, -1), look(day: 6), look(day: 8)]
        #expect(looks == [true, false, false, true])
    }

    @Test mutating func `a day that begins during a pass has a pass of its own`() {
        let looks = [look(day: 7, rows: 500), look(day: 8), look(day: 8), look(day: 8)]
        #expect(looks == [true, true, true, false])
    }
}
