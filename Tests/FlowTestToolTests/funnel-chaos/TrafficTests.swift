import FlowEvents
import FunnelTestSupport
import Funnels
import Testing

@testable import funnel_chaos

@Suite struct TrafficTests {
    private static func records(seed: UInt64 = 5, name: String = "p", partitions: Int = 8) throws -> [ChaosRecord] {
        var traffic = Traffic(seed: seed, name: name, chunks: 40, size: 40, installs: 60)
        return try (0..<40).flatMap { _ in try traffic.nextChunk(partitions: partitions) }
    }

    @Test func `the same seed is the same traffic`() throws {
        let (one, again, other) = (try Self.records(), try Self.records(), try Self.records(seed: 6))
        #expect(one.map(\.value) == again.map(\.value) && one.map(\.partition) == again.map(\.partition))
        #expect(one.map(\.value) != other.map(\.value))
    }

    @Test func `the same name of an event is the same event, also over producers`() throws {
        var events: [[String]: Event] = [:]
        var repeats = 0
        for record in try Self.records(seed: 1, name: "a") + Self.records(seed: 2, name: "b") {
            guard let event = record.event else { continue }
            let name = [event.installID, event.source, event.id]
            if let known = events.updateValue(event, forKey: name) {
                repeats += 1
                #expect(known == event)
            }
        }
        #expect(repeats > 300, "a fifth is sent again")
    }

    @Test func `there are dead letters, late events, and installs in two partitions`() throws {
        let records = try Self.records()
        #expect(records.count { $0.event == nil } > 10)
        #expect(records.allSatisfy { (0..<8).contains($0.partition) })
        let events = records.compactMap { record in
            record.event.map { FunnelOracle.Record($0, partition: record.partition) }
        }
        let partitions = Dictionary(grouping: events, by: \.event.installID).mapValues { Set($0.map(\.partition)) }
        #expect(partitions.values.contains { $0.count == 2 } && partitions.values.allSatisfy { $0.count <= 2 })
        let oracle = FunnelOracle(
            funnels: try Workspace.funnels(),
            records: events,
            allowedLateness: Traffic.allowedLatenessMilliseconds
        )
        let report = oracle.report()
        #expect((1..<report.quality.events / 3).contains(report.quality.late))
        #expect(report.quality.duplicates > 0)
        #expect((1...10).contains(report.quality.erasedInstalls))
        #expect(report.funnels.allSatisfy { $0.steps.allSatisfy { $0.count > 0 } })
        #expect(report.funnels.allSatisfy { ($0.breakdown?.count ?? 2) > 1 })
    }

    @Test func `more partitions move installs to others`() throws {
        func homes(_ partitions: Int) throws -> [String: Int32] {
            let records = try Self.records(partitions: partitions)
            let events = records.compactMap { record in record.event.map { ($0.installID, record.partition) } }
            return Dictionary(events) { first, _ in first }
        }
        let (few, many) = (try homes(4), try homes(8))
        #expect(Set(few.values) == Set(0..<4) && Set(many.values) == Set(0..<8))
        #expect(few.keys.contains { few[$0] != many[$0] })
    }
}
