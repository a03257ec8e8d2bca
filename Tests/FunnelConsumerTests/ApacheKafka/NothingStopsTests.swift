import FlowEventTestSupport
import FlowEvents
import FlowTestSupport
import FunnelConsumer
import FunnelStore
import FunnelStoreTestSupport
import FunnelTestSupport
import Funnels
import RDKafka
import Testing

/// The consumer reaches the end of the topic whatever is in it, on a real broker.
@Suite(.waits, .needsApacheKafka, .timeLimit(.minutes(10)), .serialized) struct NothingStopsTests {
    private static let limits = [2_000, 1_048_588, 3_145_728]
    private static let codecs = ["none", "gzip", "snappy", "lz4", "zstd"]
    private let funnels: [Funnel]

    init() throws { funnels = try homeToPaywall() }

    @Test(arguments: limits, limits)
    func `any keys, headers, codecs and sizes, with any limits of the topics`(
        limit: Int,
        deadLetterLimit: Int
    ) async throws {
        var random = SeededGenerator(seed: UInt64(limit &* 31 &+ deadLetterLimit))
        let cluster = try RealCluster(
            partitions: 2,
            ["max.message.bytes": "\(limit)"],
            deadLetterProperties: ["max.message.bytes": "\(deadLetterLimit)"]
        )
        var valid: [Event] = []
        var deadLetterCount: Int64 = 0
        for round in 0..<10 {
            let (home, paywall) = (
                screenView("home", "i\(round)", second: 0), screenView("paywall", "i\(round)", second: 60)
            )
            let hostile = (0..<12).map { _ in hostileMessage(upTo: limit, &random) }
            let settings: KafkaConfiguration = [
                "compression.codec": random.pick(Self.codecs), "message.max.bytes": "100000000",
                // Each record in a batch of its own: a broker rejects a batch as a whole.
                "batch.num.messages": "1",
            ]
            for result in try await cluster.publish([message(home), message(paywall)], settings) {
                _ = try result.get()
            }
            valid += [home, paywall]
            let results = try await cluster.publish(hostile, settings)
            deadLetterCount += Int64(results.count { if case .success = $0 { true } else { false } })
        }
        let store = TemporaryStore()
        try await cluster.count(funnels, into: store)
        let quality = try store.report().quality
        #expect(quality == Quality(events: Int64(valid.count), deadLetters: deadLetterCount))
        #expect(deadLetterCount > 10)
        #expect(
            try store.report().funnels
                == FunnelOracle(funnels: funnels, records: valid.map { FunnelOracle.Record($0) }).report().funnels
        )
    }

    @Test func `a record that is larger than librdkafka unpacks is passed by and counted`() async throws {
        let cluster = try RealCluster(["max.message.bytes": "1048588"])
        let bomb = ProducerMessage(key: [1], value: [UInt8](repeating: 0x20, count: 120_000_000), partition: 0)
        try await cluster.publish([message(screenView("home", "a", second: 0))])
        let results = try await cluster.publish(
            [bomb],
            ["compression.codec": "zstd", "message.max.bytes": "200000000", "message.timeout.ms": "60000"]
        )
        _ = try results[0].get()
        try await cluster.publish([message(screenView("paywall", "a", second: 60))])
        let store = TemporaryStore()
        try await cluster.count(funnels, into: store)
        let report = try store.report()
        #expect(report.quality.events == 2 && report.quality.unread + report.quality.deadLetters == 1)
        #expect(report.funnels[0].steps.map(\.count) == [1, 1])
    }

    /// A record that is no event.
    private func hostileMessage(upTo limit: Int, _ random: inout SeededGenerator) -> ProducerMessage {
        func size(_ random: inout SeededGenerator) -> Int {
            let largest = random.pick([0, 1, 100, 1000, limit / 3, limit - 300])
            return Int(random.next() % UInt64(max(1, largest) + 1))
        }
        func bytes(_ random: inout SeededGenerator) -> [UInt8] {
            // Half of them can be compressed well, so that a record is larger than its batch.
            let (count, first) = (size(&random), UInt8(truncatingIfNeeded: random.next()))
            guard random.chance(50) else { return [UInt8](repeating: first, count: count) }
            var bytes: [UInt8] = []
            while bytes.count < count { withUnsafeBytes(of: random.next()) { bytes.append(contentsOf: $0) } }
            return Array(bytes.prefix(count))
        }
        let text = String(repeating: "a", count: size(&random))
        let values: [[UInt8]?] = [
            nil, [], bytes(&random), Array("{\"specversion\":\"1.0\",\"id\":\"\(text)".utf8),
            Array("{\"specversion\":\"1.0\",\"id\":\"1\",\"source\":\"a\",\"type\":\"\(text)\"}".utf8),
            Array(String(repeating: "[", count: size(&random)).utf8),
        ]
        let headers = (0..<Int(random.next() % 4)).map { _ in
            KafkaHeader(random.pick(["a", "content-type", "dlq.reason", text]), bytes: bytes(&random))
        }
        return ProducerMessage(
            key: random.pick([nil, [], bytes(&random)]),
            value: random.pick(values),
            headers: headers,
            partition: Int32(random.next() % 2)
        )
    }
}
