import EventTracking
import FlowEvents
import FlowTestSupport
import Foundation
import KafkaTestSupport
import RDKafka
import KafkaSink
import Synchronization
import Testing

@Suite(.waits) struct EventSinkKafkaTests {
    @Test func `a tracked event arrives with its key, its header and its bytes, in order of its install`() async throws
    {
        let broker = try EmbeddedBroker.withTopic(partitions: 6)
        let sink = try broker.sink()
        let tap = Wiretap()
        let trackers = (0..<20).map { tracker("install-\($0)", sink: tap.on(sink)) }
        let start = Int64(Date().timeIntervalSince1970 * 1000)
        for number in 0..<100 {
            for tracker in trackers { tracker.track(EventDraft(type: "t\(number)", properties: ["naïve": "ü\n"])) }
        }
        for tracker in trackers { #expect(await tracker.shutdown(deadline: patience).isComplete) }
        await sink.shutdown()
        let end = Int64(Date().timeIntervalSince1970 * 1000)

        let records = try await broker.records(2000, partitions: 6)
        #expect(records.count == 2000)
        let sent = Dictionary(grouping: tap.events, by: \.key)
        let arrived = Dictionary(grouping: records, by: \.key)
        #expect(arrived.keys.sorted() == (0..<20).map { "install-\($0)" }.sorted())
        for (install, records) in arrived {
            #expect(records.map(\.value) == sent[install]?.map(\.value))
            let events = try records.map { try Event(json: $0.value) }
            #expect(events.map(\.sequence) == (0..<100).map { Int64($0) })
            #expect(events.allSatisfy { $0.installID == install })
            #expect(Set(records.map(\.partition)).count == 1)
        }
        #expect(Set(records.map(\.partition)).count > 1)
        let header = KafkaHeader("content-type", "application/cloudevents+json; charset=UTF-8")
        #expect(records.allSatisfy { $0.headers == [header] })
        for record in records {
            guard case .create(let time) = record.timestamp else {
                Issue.record("a record without the producer's time")
                break
            }
            #expect((start...end).contains(time))
        }
    }

    /// The test vectors of Kafka's `UtilsTest.testMurmur2`. The partition is the hash without its sign bit, modulo the
    /// count.
    @Test func `an install's partition is the one that Java clients choose`() async throws {
        let broker = try EmbeddedBroker.withTopic(partitions: 7)
        let sink = try broker.sink()
        let hashes = ["21": -973_932_308, "foobar": -790_332_482, "a-little-bit-long-string": -985_981_536]
        for install in hashes.keys {
            let outcomes = try await sink.submit(events(0..<1, of: install)).outcomes()
            #expect(outcomes == [.delivered])
        }
        for record in try await broker.records(3, partitions: 7) {
            let hash = try #require(hashes[record.key])
            #expect(Int(record.partition) == (hash & 0x7fff_ffff) % 7)
        }
        await sink.shutdown()
    }

    @Test func `an outage of the broker loses no event, and the statistics are right`() async throws {
        let broker = try EmbeddedBroker.withTopic(partitions: 3)
        // So short that librdkafka gives up, the sink returns `retry`, and the tracker sends the events again.
        let sink = try broker.sink(["message.timeout.ms": "300", "linger.ms": "0"])
        let retries = Atomic(0)
        let trackers = (0..<5).map { number in
            tracker("install-\(number)", sink: sink) { report in
                guard case .retrying(_, _, let failure) = report else { return }
                #expect(failure.code == "_MSG_TIMED_OUT")
                retries.add(1, ordering: .relaxed)
            }
        }
        func track(_ numbers: Range<Int>) {
            for number in numbers {
                for tracker in trackers { tracker.track(EventDraft(type: "t\(number)")) }
            }
        }
        track(0..<100)
        for tracker in trackers { await tracker.flush() }
        try broker.cutOff()
        track(100..<200)
        let deadline = ContinuousClock.now + patience
        while retries.load(ordering: .relaxed) == 0, ContinuousClock.now < deadline { await Task.yield() }
        try broker.bringUp()
        track(200..<300)
        for tracker in trackers {
            let report = await tracker.shutdown(deadline: patience)
            #expect(report.isComplete)
            #expect(report.statistics.tracked == 300 && report.statistics.delivered == 300)
            #expect(report.statistics.dropped.isEmpty && report.statistics.queued == 0)
        }
        await sink.shutdown()
        #expect(retries.load(ordering: .relaxed) > 0)

        // At least once: the consumer detects a repetition by its id.
        let events = try await broker.records(1500, partitions: 3).map { try Event(json: $0.value) }
        #expect(Set(events.map(\.id)).count == 1500)
        for (_, events) in Dictionary(grouping: events, by: \.installID) {
            #expect(Set(events.map(\.sequence)) == Set((0..<300).map { Int64($0) }))
        }
    }

    @Test func `only the event that is too large is rejected`() async throws {
        let broker = try EmbeddedBroker.withTopic(partitions: 1)
        let sink = try broker.sink(["message.max.bytes": "10000"])
        let batch = try events(0..<2) + events(2..<3, padding: 20_000) + events(3..<5)
        let outcomes = await sink.submit(batch).outcomes()
        await sink.shutdown()
        #expect(outcomes.count == 5)
        for index in [0, 1, 3, 4] { #expect(outcomes[index] == .delivered) }
        guard case .rejected(let failure) = outcomes[2] else {
            Issue.record("not rejected: \(outcomes[2])")
            return
        }
        #expect(failure.code == "MSG_SIZE_TOO_LARGE")
        #expect(!failure.detail.contains("xxx"))
        let records = try await broker.records(4, partitions: 1)
        #expect(records.map(\.value) == [0, 1, 3, 4].map { batch[$0].value })
    }

    @Test func `the largest event that the contract allows is delivered`() async throws {
        let broker = try EmbeddedBroker.withTopic(partitions: 1)
        let sink = try broker.sink()
        let empty = try events(0..<1, padding: 1)[0].value.count
        let largest = try events(0..<1, padding: 1_048_576 - empty + 1)
        #expect(largest[0].value.count == 1_048_576)
        #expect(await sink.submit(largest).outcomes() == [.delivered])
        #expect(try await broker.records(1, partitions: 1).map(\.value) == [largest[0].value])
        await sink.shutdown()
    }

    @Test func `of a batch that the broker refuses for its size only the too large event is rejected`() async throws {
        let broker = try EmbeddedBroker.withTopic(partitions: 1)
        // Long enough for the whole batch to be in one request.
        let sink = try broker.sink(["linger.ms": "300"])
        let taken = KafkaError.Code(rawValue: 0)
        // Refuses the whole batch, then each event alone.
        broker.fail(.produce, with: [.messageTooLarge, taken, .messageTooLarge, taken])
        let batch = try events(0..<3)
        let outcomes = await sink.submit(batch).outcomes()
        #expect(outcomes.count == 3)
        #expect(outcomes[0] == .delivered && outcomes[2] == .delivered)
        guard case .rejected(let failure) = outcomes[1] else {
            Issue.record("not rejected: \(outcomes[1])")
            return
        }
        #expect(failure.code == "MSG_SIZE_TOO_LARGE" && failure.detail.contains("max.message.bytes"))
        // Later events are sent in batches again.
        #expect(try await sink.submit(events(3..<5)).outcomes() == [.delivered, .delivered])
        await sink.shutdown()
        let records = try await broker.records(4, partitions: 1)
        #expect(try records.map { try Event(json: $0.value).sequence } == [0, 2, 3, 4])
    }

    @Test func `a shutdown reports the undelivered records`() async throws {
        let broker = try EmbeddedBroker.withTopic(partitions: 1)
        let undelivered = Mutex<UndeliveredRecords?>(nil)
        let sink = try broker.sink(closingWithin: .milliseconds(200)) { report in
            undelivered.withLock { $0 = report }
        }
        #expect(try await sink.submit(events(0..<1)).outcomes() == [.delivered])
        try broker.cutOff()
        let receipt = try await sink.submit(events(1..<6))
        await sink.shutdown()
        let report = try #require(undelivered.withLock { $0 })
        #expect(report.unsent + report.unanswered == 5)
        for outcome in await receipt.outcomes() {
            guard case .retry(let failure, after: nil) = outcome else {
                Issue.record("not to be retried: \(outcome)")
                continue
            }
            #expect(["_PURGE_QUEUE", "_PURGE_INFLIGHT"].contains(failure.code))
            #expect(failure.detail.contains(broker.bootstrapServers))
        }
        let late = try await sink.submit(events(6..<7)).outcomes()
        guard case .retry(let failure, after: nil) = late.first else {
            Issue.record("a closed sink took an event: \(late)")
            return
        }
        #expect(failure.code == "_DESTROY" && failure.detail.contains("create a new sink"))
    }

    @Test func `a full queue makes the sender wait until there is room`() async throws {
        let broker = try EmbeddedBroker.withTopic(partitions: 1)
        let timeout = Duration.milliseconds(300)
        let sink = try broker.sink(["queue.buffering.max.messages": "10", "message.timeout.ms": "300"])
        // The first connection may take longer than this timeout.
        try await until("the sink delivers") { try await sink.submit(events(0..<1)).outcomes() == [.delivered] }
        try broker.cutOff()
        let start = ContinuousClock.now
        let filling = try await sink.submit(events(1..<11))
        // Only the timeout of a record makes room here, so that a sink that does not wait would return long before.
        let held = try await sink.submit(events(11..<12))
        #expect(ContinuousClock.now - start >= timeout)
        for outcome in await filling.outcomes() {
            guard case .retry(let failure, after: nil) = outcome else {
                Issue.record("not to be retried: \(outcome)")
                continue
            }
            #expect(failure.code == "_MSG_TIMED_OUT")
        }
        try broker.bringUp()
        _ = await held.outcomes()
        #expect(try await sink.submit(events(1..<11)).outcomes() == Array(repeating: .delivered, count: 10))
        await sink.shutdown()
    }

    @Test func `many batches are in delivery at once and stay in order`() async throws {
        let broker = try EmbeddedBroker.withTopic(partitions: 1)
        let sink = try broker.sink(["linger.ms": "0", "batch.num.messages": "7"])
        #expect(sink.maximumBatchesInFlight > 1)
        try broker.setRoundTrip(.milliseconds(20))
        var receipts: [EventReceipt] = []
        for batch in 0..<10 { receipts.append(try await sink.submit(events(batch * 20..<batch * 20 + 20))) }
        for receipt in receipts { #expect(await receipt.outcomes() == Array(repeating: .delivered, count: 20)) }
        let records = try await broker.records(200, partitions: 1)
        #expect(try records.map { try Event(json: $0.value).sequence } == (0..<200).map { Int64($0) })
        await sink.shutdown()
    }

    @Test func `a thousand concurrent flushes end the lingering`() async throws {
        let broker = try EmbeddedBroker.withTopic(partitions: 1)
        let sink = try broker.sink(["linger.ms": "60000"])
        let trackers = (0..<1000).map { tracker("install-\($0)", sink: sink) }
        let start = ContinuousClock.now
        for tracker in trackers { tracker.track(EventDraft(type: "a")) }
        await withDiscardingTaskGroup { group in
            for tracker in trackers { group.addTask { await tracker.flush() } }
        }
        #expect(trackers.allSatisfy { $0.statistics.delivered == 1 })
        #expect(ContinuousClock.now - start < patience)
        await sink.shutdown()
    }

    @Test(arguments: [
        ("enable.idempotence", ["enable.idempotence": "false"]),
        ("acks", ["enable.idempotence": "true", "acks": "1"]),
        ("partitioner", ["partitioner": "consistent_random"]),
    ])
    func `a configuration that breaks the contract is refused by name`(property: String, settings: [String: String]) {
        let configuration = KafkaConfiguration(settings).withDefaults(["bootstrap.servers": "127.0.0.1:1"])
        let error = #expect(throws: KafkaConfigurationError.self) {
            try EventSink.kafka(configuration, topic: "app-events", logger: silent)
        }
        #expect(error.map { "\($0)" }?.contains(property) == true)
    }

    @Test func `a producer that breaks the contract is refused`() async throws {
        let producer = try Producer(
            configuration: ["bootstrap.servers": "127.0.0.1:1", "enable.idempotence": "0", "acks": "1"],
            logger: silent
        )
        let error = #expect(throws: KafkaConfigurationError.self) {
            try EventSink.kafka(producer: producer, topic: "app-events")
        }
        #expect(error?.property == "enable.idempotence")
    }
}
