import FlowEventTestSupport
import FlowEvents
import FunnelTestSupport
import Testing

@testable import Funnels

@Suite struct HistoryCodingTests {
    @Test func `a damaged history is an error or another state, never a crash`() throws {
        let withHistory = try (0..<60).filter(damageHistory)
        #expect(withHistory.count > 30)
    }

    /// Damages the history of an install. Returns whether it had one.
    private func damageHistory(seed: UInt64) throws -> Bool {
        var random = RandomFunnels(seed: seed)
        let funnels = try random.funnels()
        let events = random.events(count: 80, installs: 1, days: 40).sorted { $0.time < $1.time }
        var bounds = FunnelBounds()
        bounds.shape = random.shape()
        var topic = try CountedTopic(funnels: funnels, bounds: bounds)
        for event in events.dropFirst().dropLast() { try topic.insert(event) }
        try topic.commit()
        guard let row = try topic.rows().first, !row.history.isEmpty else { return false }
        for _ in 0..<60 {
            var damaged = row
            let index = Int(random.generator.next() % UInt64(row.history.count))
            if random.generator.chance(5) {
                damaged.history.remove(at: index)
            } else {
                var bytes = damaged.history[index].state
                if random.generator.chance(30) { bytes.removeLast(Int(random.generator.next() % UInt64(bytes.count))) }
                for _ in 0..<2 where !bytes.isEmpty {
                    let position = Int(random.generator.next() % UInt64(bytes.count))
                    bytes[position] = UInt8(truncatingIfNeeded: random.generator.next())
                }
                damaged.history[index].state = bytes
            }
            var engine = FunnelEngine(funnels: funnels, bounds: bounds)
            for event in [events[79], events[0]] where random.generator.chance(70) {
                EventFields.with(event, fields: engine.fields) { engine.insert($0, partition: 0) }
            }
            _ = try? engine.count { _ in [damaged] }
        }
        return true
    }

    @Test func `a fingerprint is the same in every process`() {
        var hash = Fingerprint()
        Array("app://com.example.shop".utf8).withUnsafeBytes { hash.combine($0) }
        hash.combine(7)
        #expect(hash.value == 3_776_373_069)
    }

    @Test(arguments: [0, 1, 2, 9, 100])
    func `a search finds each fingerprint of a filter, and no other`(count: Int) throws {
        var generator = SeededGenerator(seed: 1)
        let sorted = Set((0..<count).map { _ in UInt32(truncatingIfNeeded: generator.next()) }).sorted()
        let bytes = FingerprintFilter.encode(sorted)
        bytes.withUnsafeBytes { bytes in
            for fingerprint in sorted {
                #expect(FingerprintFilter.contains(fingerprint, in: bytes))
                let other = fingerprint &+ 1
                #expect(FingerprintFilter.contains(other, in: bytes) == sorted.contains(other))
            }
            #expect(!FingerprintFilter.contains(12345, in: bytes))
        }
        #expect(try bytes.withUnsafeBytes { try FingerprintFilter.decode($0) } == sorted)
    }
}
