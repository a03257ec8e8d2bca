import FlowTestSupport
import Foundation
import KafkaTestSupport
import RDKafka
import Testing

@Suite(.waits) struct ProducerTests {
    @Test func `published records are read back unchanged`() async throws {
        let broker = try EmbeddedBroker.with(topic: "t", partitions: 1)
        let producer = try broker.producer()
        let headers = [KafkaHeader("a", "1"), KafkaHeader("a", bytes: nil), KafkaHeader("b", "")]
        let messages = [
            ProducerMessage(key: Array("k".utf8), value: [0, 255], headers: headers, timestamp: 1_700_000_000_123),
            ProducerMessage(key: nil, value: nil),
            ProducerMessage(key: [], value: []),
        ]
        let results = await producer.send(messages, to: "t")
        #expect(try results.map { try $0.get().offset } == [0, 1, 2])
        let consumer = try broker.consumer()
        try consumer.assign("t", at: .earliest)
        var read: [ProducerMessage] = []
        while read.count < 3 {
            consumer.poll(timeout: .milliseconds(50)).records.forEach { record in
                var timestamp: Int64?
                if case .create(let milliseconds) = record.timestamp { timestamp = milliseconds }
                read.append(
                    ProducerMessage(
                        key: record.key.map(Array.init),
                        value: record.value.map(Array.init),
                        headers: record.headers(),
                        timestamp: timestamp
                    )
                )
            }
        }
        #expect(read[0] == messages[0])
        #expect(read[1].key == nil && read[1].value == nil && read[1].headers.isEmpty)
        #expect(read[2].key == [] && read[2].value == [])
        let now = Int64(Date().timeIntervalSince1970 * 1000)
        #expect(abs(try #require(read[1].timestamp) - now) < 60_000)
    }

    @Test func `each record has its own headers although lists of delivered records are used again`() async throws {
        let broker = try EmbeddedBroker.with(topic: "t", partitions: 1)
        // The queue is often full, and delivery reports come in the middle of a batch.
        let producer = try broker.producer(["queue.buffering.max.messages": "10"])
        func headers(_ number: Int) -> [KafkaHeader] {
            number % 7 == 0 ? [] : [KafkaHeader("a", "\(number / 40 % 3)"), KafkaHeader("b", bytes: nil)]
        }
        for batch in 0..<4 {
            let messages = (0..<100).map { index in
                let number = batch * 100 + index
                return ProducerMessage(value: Array("\(number)".utf8), headers: headers(number))
            }
            for result in await producer.send(messages, to: "t") { _ = try result.get() }
        }
        let consumer = try broker.consumer()
        try consumer.assign("t", at: .earliest)
        var read: [[KafkaHeader]] = []
        while read.count < 400 {
            consumer.poll(timeout: .milliseconds(50)).records.forEach { read.append($0.headers()) }
        }
        #expect(read == (0..<400).map(headers))
        await producer.close(within: patience)
    }

    /// The test vectors of Kafka's `UtilsTest.testMurmur2`. The partition is the hash without its sign bit, modulo the
    /// count.
    @Test(arguments: [
        ("21", -973_932_308), ("foobar", -790_332_482), ("a-little-bit-long-string", -985_981_536),
        ("a-little-bit-longer-string", -1_486_304_829),
        ("lkjh234lh9fiuh90y23oiuhsafujhadof229phr9h19h89h8", -58_897_971), ("abc", 479_470_107),
    ])
    func `a key goes to the same partition as with a Java client`(key: String, murmur2: Int) async throws {
        let broker = try EmbeddedBroker.with(topic: "t", partitions: 7)
        let producer = try broker.producer()
        let metadata = try await producer.send(ProducerMessage(key: Array(key.utf8), value: [1]), to: "t")
        #expect(Int(metadata.partition) == (murmur2 & 0x7fff_ffff) % 7)
    }

    @Test func `each record of a batch has its own result`() async throws {
        let broker = try EmbeddedBroker.with(topic: "t", partitions: 1)
        let producer = try broker.producer(["message.max.bytes": "10000"])
        let results = await producer.send(
            [
                ProducerMessage(value: [1]), ProducerMessage(value: [UInt8](repeating: 0, count: 20_000)),
                ProducerMessage(value: [2]),
            ],
            to: "t"
        )
        #expect(try results[0].get().offset == 0)
        #expect(try results[2].get().offset == 1)
        let error = #expect(throws: KafkaError.self) { try results[1].get() }
        #expect(error?.code == .messageTooLarge && error?.topic == "t" && error?.isRetriable == false)
        #expect(error?.name == "MSG_SIZE_TOO_LARGE")
    }

    @Test func `the failures have the indices of the failed records`() async throws {
        let broker = try EmbeddedBroker.with(topic: "t", partitions: 1)
        let producer = try broker.producer(["message.max.bytes": "1000"])
        let large = ProducerMessage(value: Array(repeating: 7, count: 2000))
        let small = ProducerMessage(value: [1])
        let mixed = await producer.submit(ProducerBatch([small, large, small]), to: "t")
        #expect(await mixed.failures().mapValues(\.code) == [1: .messageTooLarge])
        // Later calls return the same results, in both forms.
        #expect(await mixed.results().map { try? $0.get().offset } == [0, nil, 1])
        #expect(await mixed.failures().count == 1)
        let good = await producer.submit(ProducerBatch([small]), to: "t")
        #expect(await good.failures().isEmpty)
        let none = await producer.submit(ProducerBatch(), to: "t")
        #expect(await none.failures().isEmpty)
        #expect(await none.results().isEmpty)
        await producer.close(within: patience)
        let late = await producer.submit(ProducerBatch([small, small]), to: "t")
        #expect(await late.failures().mapValues(\.code) == [0: .closed, 1: .closed])
        #expect(await late.results().count == 2)
    }

    @Test func `values of every size arrive unchanged, also empty ones and nulls`() async throws {
        let broker = try EmbeddedBroker.with(topic: "t", partitions: 1)
        let producer = try broker.producer(["linger.ms": "0"])
        let values: [[UInt8]?] = [nil, []] + (0..<12).map { Array(repeating: UInt8($0), count: 1 << $0) }
        for batch in [values, [nil], [[]]] {
            let messages = batch.map { ProducerMessage(key: [9], value: $0) }
            #expect(await producer.submit(ProducerBatch(messages), to: "t").failures().isEmpty)
        }
        await producer.close(within: patience)
        let read = try await onThread {
            let consumer = try broker.consumer()
            try consumer.assign("t", at: .earliest)
            var found: [[UInt8]?] = []
            let deadline = ContinuousClock.now + patience
            while found.count < values.count + 2, ContinuousClock.now < deadline {
                consumer.poll(timeout: .milliseconds(50)).records.forEach { found.append($0.value.map { Array($0) }) }
            }
            return found
        }
        #expect(read == values + [nil, []])
    }

    @Test func `records with headers for a topic that does not exist fail one by one`() async throws {
        let broker = try EmbeddedBroker.with(topic: "t", partitions: 1)
        broker.setError(.unknownTopicOrPartition, ofTopic: "missing")
        let message = ProducerMessage(value: [1], headers: [KafkaHeader("a", "1"), KafkaHeader("b", bytes: nil)])
        let producer = try broker.producer(["topic.metadata.propagation.max.ms": "0"])
        // At first the broker refuses the records; then the client knows the topic and refuses them itself.
        for _ in 0..<3 {
            for result in await producer.send([message, message], to: "missing") {
                let error = try #require(#expect(throws: KafkaError.self) { try result.get() })
                #expect([.unknownTopic, .unknownTopicOrPartition].contains(error.code))
            }
        }
    }

    @Test func `a full queue makes senders wait and loses no record`() async throws {
        let broker = try EmbeddedBroker.with(topic: "t", partitions: 1)
        let producer = try broker.producer(["queue.buffering.max.messages": "10", "linger.ms": "0"])
        let delivered = await withTaskGroup(of: [Int64].self) { group in
            for sender in 0..<8 {
                group.addTask {
                    let batch = ProducerBatch((0..<100).map { ProducerMessage(value: [UInt8(sender), UInt8($0)]) })
                    return await producer.send(batch, to: "t").compactMap { try? $0.get().offset }
                }
            }
            return await group.reduce(into: []) { $0 += $1 }
        }
        #expect(delivered.sorted() == Array(0..<800))
    }

    @Test func `closing delivers the sent records without lingering`() async throws {
        let broker = try EmbeddedBroker.with(topic: "t", partitions: 1)
        let producer = try broker.producer(["linger.ms": "60000"])
        let sent = Task.immediate {
            await producer.send([ProducerMessage(value: [1]), ProducerMessage(value: [2])], to: "t")
        }
        let start = ContinuousClock.now
        let undelivered = await producer.close(within: patience)
        #expect(undelivered.isEmpty)
        #expect(try await sent.value.map { try $0.get().offset } == [0, 1])
        #expect(ContinuousClock.now - start < patience)
    }

    @Test func `a flush ends the lingering of submitted records`() async throws {
        let broker = try EmbeddedBroker.with(topic: "t", partitions: 1)
        let producer = try broker.producer(["linger.ms": "60000"])
        let start = ContinuousClock.now
        let receipt = await producer.submit(ProducerBatch([ProducerMessage(value: [1])]), to: "t")
        producer.flush()
        #expect(try await receipt.results().map { try $0.get().offset } == [0])
        #expect(ContinuousClock.now - start < .seconds(45))
    }

    @Test func `submit returns before the records are delivered, and waits only for room in the queue`() async throws {
        let broker = try EmbeddedBroker.with(topic: "t", partitions: 1)
        let producer = try broker.producer(["queue.buffering.max.messages": "10"])
        _ = try await producer.send(ProducerMessage(value: [0]), to: "t")
        try broker.cutOff()
        let first = await producer.submit(ProducerBatch((0..<10).map { ProducerMessage(value: [$0]) }), to: "t")
        let second = Task { await producer.submit(ProducerBatch([ProducerMessage(value: [10])]), to: "t") }
        try broker.bringUp()
        let offsets = try await (first.results() + second.value.results()).map { try $0.get().offset }
        #expect(offsets == (1...11).map(Int64.init))
    }

    @Test func `a producer's guarantees are its resolved settings`() throws {
        let broker = try EmbeddedBroker.with(topic: "t", partitions: 1)
        let usual = try broker.producer().guarantees
        #expect(usual.isIdempotent && usual.acks == -1 && usual.partitioner == "murmur2_random")
        let loose = try broker.producer(["enable.idempotence": "f", "request.required.acks": "1"]).guarantees
        #expect(!loose.isIdempotent && loose.acks == 1)
    }

    @Test func `closing reports the undelivered records and the broker that was tried`() async throws {
        let broker = try EmbeddedBroker.with(topic: "t", partitions: 1)
        let producer = try broker.producer(["queue.buffering.max.messages": "2"])
        _ = try await producer.send(ProducerMessage(value: [0]), to: "t")
        try broker.cutOff()
        let sent = Task.immediate { await producer.send((1...5).map { ProducerMessage(value: [$0]) }, to: "t") }
        let undelivered = await producer.close(within: .milliseconds(200))
        #expect(undelivered.unsent + undelivered.unanswered == 5)
        #expect("\(undelivered)".contains("not sent"))
        let results = await sent.value
        #expect(results.count == 5)
        for result in results {
            let error = try #require(#expect(throws: KafkaError.self) { try result.get() })
            #expect([.purgedFromQueue, .purgedInFlight].contains(error.code))
            #expect("\(error)".contains(broker.bootstrapServers))
            #expect(error.isRetriable)
        }
        #expect(await producer.close(within: patience) == undelivered)
    }

    @Test func `a closed producer refuses`() async throws {
        let broker = try EmbeddedBroker.with(topic: "t", partitions: 1)
        let producer = try broker.producer()
        await producer.close(within: patience)
        let error = await #expect(throws: KafkaError.self) {
            try await producer.send(ProducerMessage(value: [1]), to: "t")
        }
        #expect(error?.code == .closed)
        #expect(await producer.close(within: patience).isEmpty)
    }

    @Test func `a message that is not delivered in time fails with the broker's address`() async throws {
        let producer = try Producer(
            configuration: ["bootstrap.servers": "127.0.0.1:1", "message.timeout.ms": "300"],
            logger: silent
        )
        let error = try await #require(
            #expect(throws: KafkaError.self) { try await producer.send(ProducerMessage(value: [1]), to: "t") }
        )
        #expect(error.code == .messageTimedOut && error.isRetriable && !error.isFatal)
        #expect(error.brokers == ["127.0.0.1:1"])
        #expect("\(error)".contains("127.0.0.1:1") && "\(error)".contains("refused"))
    }

    @Test func `an outage of the broker neither loses nor repeats records`() async throws {
        let broker = try EmbeddedBroker.with(topic: "t", partitions: 1)
        let producer = try broker.producer(["linger.ms": "0", "batch.num.messages": "50"])
        _ = try await producer.send(ProducerMessage(value: Array("0".utf8)), to: "t")
        try broker.cutOff()
        async let sending = producer.send(
            (1...1000).map { ProducerMessage(value: Array("\($0)".utf8)) },
            to: "t"
        )
        try broker.bringUp()
        for result in await sending {
            _ = try result.get()
        }
        try await onThread {
            let consumer = try broker.consumer()
            try consumer.assign("t", at: .earliest)
            let read = try consumer.read { records, _ in records.count >= 1001 }
            #expect(read.records.map(\.value) == (0...1000).map(String.init))
        }
    }

    @Test func `the producer retries after retriable answers of the broker`() async throws {
        let broker = try EmbeddedBroker.with(topic: "t", partitions: 1)
        let producer = try broker.producer()
        broker.fail(.produce, with: [.notLeader, .requestTimedOut])
        let metadata = try await producer.send(ProducerMessage(value: [1]), to: "t")
        #expect(metadata.offset == 0)
    }
}
