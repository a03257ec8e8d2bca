import EventTracking
import RDKafka
import Logging
import Synchronization

/// The producers behind one sink: the one in use, which is replaced after a fatal error, and one that sends every event
/// in a batch of its own, for those that a broker has refused together.
final class SinkProducers: Sendable {
    private struct State {
        var succession = ProducerSuccession()
        var producer: Producer
        var single: Producer?
        var replacement: Task<Void, Never>?
        var isClosed = false
        var hasToldOfRefusal = false
    }

    private enum Step {
        case use(Producer, generation: Int)
        case await(Task<Void, Never>)
        case refuse(EventOutcome)
    }

    private let state: Mutex<State>
    private let topic: String
    private let closingTime: Duration
    private let logger: Logger

    init(_ producer: Producer, topic: String, closingTime: Duration, logger: Logger) {
        state = Mutex(State(producer: producer))
        self.topic = topic
        self.closingTime = closingTime
        self.logger = logger
    }

    func submit(_ events: [EncodedEvent]) async -> EventReceipt {
        while true {
            switch step() {
            case .use(let producer, let generation):
                let receipt = await producer.submit(ProducerBatch(events), to: topic)
                return EventReceipt { [self] in await settle(receipt, events, generation) }
            case .await(let replacement):
                await replacement.value
            case .refuse(let outcome):
                return EventReceipt { events.map { _ in outcome } }
            }
        }
    }

    func flush() {
        let (producer, single) = state.withLock { ($0.producer, $0.single) }
        producer.flush()
        single?.flush()
    }

    func close() async -> UndeliveredRecords {
        let replacement = state.withLock { state in
            state.isClosed = true
            return state.replacement
        }
        await replacement?.value
        let (producer, single) = state.withLock { ($0.producer, $0.single) }
        let undelivered = await producer.close(within: closingTime)
        guard let single else { return undelivered }
        return await undelivered + single.close(within: closingTime)
    }

    private func step() -> Step {
        state.withLock { state in
            if let replacement = state.replacement { return .await(replacement) }
            // A closed producer refuses by itself, with what to do.
            let turn = state.isClosed ? .use : state.succession.turn(now: .now)
            switch turn {
            case .use:
                return .use(state.producer, generation: state.succession.generation)
            case .wait(let failure, let time):
                return .refuse(.retry(failure, after: time))
            case .replace:
                let producer = state.producer
                let replacement = Task { await replace(producer) }
                state.replacement = replacement
                return .await(replacement)
            }
        }
    }

    private func replace(_ producer: Producer) async {
        // First the old one settles what it has sent, so that nothing of it comes behind what the new one sends.
        _ = await producer.close(within: closingTime)
        let successor = Result { () throws(KafkaConfigurationError) in try producer.makeSuccessor() }
        state.withLock { state in
            state.replacement = nil
            switch successor {
            case .success(let successor):
                state.producer = successor
                state.succession.replaced()
            case .failure(let error):
                let failure = SinkFailure(code: "no_producer", detail: "\(error)")
                state.succession.stayedBroken(failure, now: .now, jitter: .random(in: 0..<1))
            }
        }
        switch successor {
        case .success: logger.notice("a new Kafka producer has taken the place of the one that a fatal error ended")
        case .failure(let error): logger.error("no new Kafka producer can be made: \(error)")
        }
    }

    private func settle(
        _ receipt: DeliveryReceipt,
        _ events: [EncodedEvent],
        _ generation: Int
    ) async -> [EventOutcome] {
        var failures = await receipt.failures()
        note(failures, of: events.count, generation)
        let refused = failures.keys.filter { failures[$0]?.isTooLarge == true }.sorted()
        if !refused.isEmpty, let single = singleProducer() {
            let again = await single.submit(ProducerBatch(refused.map { events[$0] }), to: topic).failures()
            for (place, index) in refused.enumerated() { failures[index] = again[place] }
            if again.values.contains(where: \.endsProducer) { await forget(single) }
        }
        return EventOutcome.outcomes(of: events.count, failures: failures)
    }

    private func note(_ failures: [Int: KafkaError], of count: Int, _ generation: Int) {
        let fatal = failures.filter { $0.value.endsProducer }.min { $0.key < $1.key }?.value
        let isNews = state.withLock { state in
            guard let fatal else {
                if failures.count < count { state.succession.delivered(generation) }
                return false
            }
            let failure = SinkFailure(code: fatal.name, detail: "\(fatal); the sink will make a new producer")
            return state.succession.broke(generation, failure, now: .now, jitter: .random(in: 0..<1))
        }
        if isNews, let fatal { logger.error("a fatal error has ended the Kafka producer: \(fatal)") }
    }

    /// The producer whose batches have one record; `nil` where there can be none, or none any more.
    private func singleProducer() -> Producer? {
        let (producer, isFirst) = state.withLock { state -> (Producer?, Bool) in
            let isFirst = !state.hasToldOfRefusal
            state.hasToldOfRefusal = true
            if state.single == nil, !state.isClosed {
                // Properties of a running producer are never wrong; without it the events stay refused.
                state.single = try? state.producer.makeSuccessor(overriding: ["batch.num.messages": "1"])
            }
            return (state.single, isFirst)
        }
        if isFirst {
            logger.warning(
                """
                events were refused for their size: each is sent once more alone, and rejected where it is too large \
                itself. Make max.message.bytes of the topic \(topic) larger than batch.size of the producer, and than \
                the largest event.
                """
            )
        }
        return producer
    }

    private func forget(_ single: Producer) async {
        state.withLock { state in
            if state.single === single { state.single = nil }
        }
        _ = await single.close(within: closingTime)
    }
}

extension KafkaError {
    /// Whether the producer delivers nothing more.
    fileprivate var endsProducer: Bool { isFatal || code == .fatal }

    /// Whether the record was refused for its size, alone or with the batch that it came in.
    fileprivate var isTooLarge: Bool { EventOutcome.sizeRefusals.contains(code) }
}
