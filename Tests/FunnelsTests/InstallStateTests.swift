import EventTestSupport
import Events
import FunnelTestSupport
import Testing

@testable import Funnels

@Suite struct InstallStateTests {
    @Test(arguments: 0..<60 as Range<UInt64>)
    func `a damaged row is an error or another state, never a crash`(seed: UInt64) throws {
        var random = RandomFunnels(seed: seed)
        let funnels = try random.funnels()
        var engine = FunnelEngine(funnels: funnels)
        for event in random.events(count: 20, installs: 1) {
            EventFields.with(event, fields: engine.fields) { engine.insert($0, partition: 0) }
        }
        engine.begin()
        engine.settler.load([])
        guard let row = try engine.settler.settle().installs.first else { return }
        var state = InstallState(funnelCount: funnels.count)
        try row.state.withUnsafeBytes { try state.decode($0) }
        #expect(state.encoded() == row.state, "seed \(seed)")
        for _ in 0..<50 {
            var bytes = row.state
            if random.generator.chance(30) { bytes.removeLast(Int(random.generator.next() % UInt64(bytes.count))) }
            for _ in 0..<2 where !bytes.isEmpty {
                bytes[Int(random.generator.next() % UInt64(bytes.count))] = UInt8(
                    truncatingIfNeeded: random.generator.next()
                )
            }
            guard (try? bytes.withUnsafeBytes({ try state.decode($0) })) != nil else { continue }
            state.updateResults(funnels, since: 0)
            var changes = SummaryChanges()
            changes.replace([], by: state.results, strings: state.strings.strings)
            _ = changes.deltas()
        }
    }
}
