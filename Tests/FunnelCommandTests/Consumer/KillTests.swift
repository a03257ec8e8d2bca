import FlowEventTestSupport
import FlowEvents
import FlowTestSupport
import Foundation
import FunnelFile
import FunnelReports
import FunnelTestSupport
import Funnels
import RDKafka
import Testing

/// Tests that SIGKILL at any time loses nothing and counts nothing twice.
@Suite(.waits, .serialized, .timeLimit(.minutes(10))) struct KillTests {
    /// One record to publish: an event, or an invalid record.
    private enum Record {
        case event(FunnelOracle.Record)
        case invalid(partition: Int32)

        func message() throws -> ProducerMessage {
            switch self {
            case .event(let record):
                ProducerMessage(
                    key: Array(record.event.installID.utf8),
                    value: try record.event.encoded(),
                    // Not the machine's time: if its clock is before the event's time, the event would be of the future.
                    timestamp: record.event.time.milliseconds,
                    partition: record.partition
                )
            case .invalid(let partition):
                ProducerMessage(key: Array("k".utf8), value: Array("no event".utf8), partition: partition)
            }
        }
    }

    private static let partitions: [Int32] = [0, 1, 2]
    private static let killCount = 20

    @Test(arguments: [20_261_121] as [UInt64])
    func `twenty kills at random points leave the report as it would have been`(seed: UInt64) async throws {
        var random = RandomFunnels(seed: seed)
        let records = self.records(&random)
        let pipeline = try Pipeline(partitions: Self.partitions.count)
        // A lateness below the three days that the events span, so that some are late.
        try pipeline.writeFastSettings("allowed_lateness: 2d")
        try pipeline.directory.write(Self.funnelsFile, to: "config/funnels.yaml")

        // Every run finds new records at its start, and more arrive while it runs.
        var pieces = try self.pieces(of: records, count: 2 * Self.killCount)[...]
        var (kills, runs) = (0, 0)
        // How long a run takes depends on the machine, so the delay adapts: it is too long if the run ended before.
        var longestDelay = 700.0
        while kills < Self.killCount {
            runs += 1
            try #require(runs <= 10 * Self.killCount, "seed \(seed): only \(kills) of \(runs) runs were killed")
            let isService = kills % 6 == 5
            if let piece = pieces.popFirst() { try await pipeline.publish(piece) }
            let consumer = try isService ? pipeline.consumer() : pipeline.consumer("--exit-at-end")
            if isService { try await consumer.says("assigned") }
            let news = pieces.popFirst() ?? []
            async let more: Void = pipeline.publish(news)
            // The test kills at a random time, so it waits for no condition.
            try await Task.sleep(for: .milliseconds(Int(random.generator.next() % UInt64(longestDelay))))
            consumer.send(SIGKILL)
            try await more
            let outcome = try await consumer.end()
            if outcome.isKilled {
                kills += 1
                longestDelay = min(700, longestDelay * 1.3)
            } else {
                longestDelay = max(20, longestDelay * 0.7)
                #expect(outcome.status == 0, "seed \(seed): \(outcome.errors)")
            }
        }
        for piece in pieces { try await pipeline.publish(piece) }
        let outcome = try await pipeline.count()
        #expect(outcome.status == 0, "\(outcome.errors)")
        try await expectWhole(records, pipeline, seed: seed)
    }

    private func expectWhole(_ records: [Record], _ pipeline: Pipeline, seed: UInt64) async throws {
        var invalid: Set<String> = []
        var offsets: [Int32: Int] = [:]
        var events: [FunnelOracle.Record] = []
        for record in records {
            switch record {
            case .event(let event):
                events.append(event)
                offsets[event.partition, default: 0] += 1
            case .invalid(let partition):
                invalid.insert("\(partition)@\(offsets[partition, default: 0])")
                offsets[partition, default: 0] += 1
            }
        }
        let funnels = try FunnelsFile.parse(Array(Self.funnelsFile.utf8), file: "funnels.yaml")
        let oracle = FunnelOracle(funnels: funnels, records: events, allowedLateness: 2 * 86_400_000)
        var expected = oracle.report()
        expected.quality.deadLetters = Int64(invalid.count)
        // What the seed gives has all that can go wrong.
        #expect(expected.quality.late > 0 && expected.quality.duplicates > 0 && !invalid.isEmpty)
        #expect(expected.funnels.allSatisfy { ($0.steps.last?.count ?? 0) > 0 })
        let printed = try await pipeline.report("--format", "json").output
        #expect(
            ReportText.withoutStates(printed) == ReportText.withoutStates(JSONReport.render(expected)),
            "seed \(seed)"
        )
        // After a crash a dead letter may be there twice, but none is missing, and no valid event is there.
        let letters = try await pipeline.deadLetters()
        let places = Set(letters.map { "\($0["dlq.partition"] ?? "")@\($0["dlq.offset"] ?? "")" })
        #expect(places == invalid, "seed \(seed)")
    }

    /// Events, a quarter of them repeated, and some records that are none.
    private func records(_ random: inout RandomFunnels) -> [Record] {
        var events = random.events(count: 3000, installs: 150)
        events += events.prefix(750)
        events.shuffle(using: &random.generator)
        return events.flatMap { event -> [Record] in
            let record = Record.event(FunnelOracle.Record(event, partition: random.generator.pick(Self.partitions)))
            guard random.generator.chance(3) else { return [record] }
            return [record, .invalid(partition: random.generator.pick(Self.partitions))]
        }
    }

    private func pieces(of records: [Record], count: Int) throws -> [[ProducerMessage]] {
        let size = (records.count + count - 1) / count
        return try stride(from: 0, to: records.count, by: size).map { start in
            try records[start..<min(start + size, records.count)].map { try $0.message() }
        }
    }

    private static let funnelsFile = """
        funnels:
          - name: home-to-paywall
            window: 1d
            steps:
              - {name: home, event: screen_view, where: {screen: home}}
              - {name: paywall, event: screen_view, where: {screen: paywall}}
          - name: paywall-to-purchase
            count: sessions
            window: 2d
            breakdown: paywall_source
            steps:
              - {name: paywall, event: screen_view, where: {screen: paywall}}
              - {name: purchase, event: purchase}
        """
}
