import EventTracking
import RDKafka
import Logging
import Synchronization

/// The producers of one sink: the current one, which is replaced after a fatal error, and one that sends every record
/// in a batch of its own, for events that a broker has refused because their batch was too large.
final class SinkProducers: Sendable {
    private struct State {
        var succession = ProducerSuccession()
        var producer: Producer
        var single: Producer?
        var replacement: Task<Void, Never>?
        var isClosed = false
        var hasWarnedOfRefusal = false
    }

    private enum Step {
        case use(Producer, generation: Int)
        case await(Task<Void, Never>)
        case refuse(EventOutcome)
    }

    /// The producer whose batches have one record, or why there is none.
    private enum SingleProducer {
        case ready(Producer)
        case missing(SinkFailure)
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
            // A closed producer refuses the batch itself, with a message that says what to do.
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
        // The old producer first settles the records that it has sent, so that none of them arrives after those of the
        // new one.
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
        case .success: logger.notice("a new Kafka producer replaces the one that a fatal error ended")
        case .failure(let error): logger.error("cannot create a new Kafka producer: \(error)")
        }
    }

    private func settle(
        _ receipt: DeliveryReceipt,
        _ events: [EncodedEvent],
        _ generation: Int
    ) async -> [EventOutcome] {
        var failures = await receipt.failures()
        note(failures, of: events.count, generation)
        let refused = failures.keys.filter { failures[$0]?.code.isAboutSize == true }.sorted()
        if !refused.isEmpty {
            let single: Producer
            switch singleProducer() {
            case .ready(let producer): single = producer
            case .missing(let failure):
                // Not known to be too large: the batch was, and nothing can divide it now.
                var outcomes = EventOutcome.outcomes(of: events.count, failures: failures)
                for index in refused { outcomes[index] = .retry(failure) }
                return outcomes
            }
            let again = await single.submit(ProducerBatch(refused.map { events[$0] }), to: topic).failures()
            for (position, index) in refused.enumerated() { failures[index] = again[position] }
            if again.values.contains(where: \.endsProducer) { await forget(single) }
        }
        return EventOutcome.outcomes(of: events.count, failures: failures)
    }

    private func note(_ failures: [Int: KafkaError], of count: Int, _ generation: Int) {
        let fatal = failures.filter { $0.value.endsProducer }.min { $0.key < $1.key }?.value
        let isFirst = state.withLock { state in
            guard let fatal else {
                if failures.count < count { state.succession.delivered(generation) }
                return false
            }
            let failure = SinkFailure(code: fatal.name, detail: "\(fatal); the sink will create a new producer")
            return state.succession.broke(generation, failure, now: .now, jitter: .random(in: 0..<1))
        }
        if isFirst, let fatal { logger.error("a fatal error has ended the Kafka producer: \(fatal)") }
    }

    /// The producer whose batches have one record. It is created when it is first needed.
    private func singleProducer() -> SingleProducer {
        let (single, isFirst) = state.withLock { state -> (SingleProducer, Bool) in
            let isFirst = !state.hasWarnedOfRefusal
            state.hasWarnedOfRefusal = true
            if let single = state.single { return (.ready(single), isFirst) }
            guard !state.isClosed else {
                let detail = "the sink was closed before it could divide a batch"
                return (.missing(SinkFailure(code: "closed", detail: detail)), isFirst)
            }
            do throws(KafkaConfigurationError) {
                let single = try state.producer.makeSuccessor(overriding: ["batch.num.messages": "1"])
                state.single = single
                return (.ready(single), isFirst)
            } catch {
                let detail = "cannot create the producer that sends refused events one by one: \(error)"
                return (.missing(SinkFailure(code: "no_producer", detail: detail)), isFirst)
            }
        }
        if isFirst {
            logger.warning(
                """
                events were refused for the size of their batch: each is sent again alone, and rejected if it is too \
                large itself. Set max.message.bytes of the topic \(topic) to more than batch.size of the producer and \
                more than the largest event.
                """
            )
        }
        return single
    }

    private func forget(_ single: Producer) async {
        state.withLock { state in
            if state.single === single { state.single = nil }
        }
        _ = await single.close(within: closingTime)
    }
}

extension KafkaError {
    /// Whether the producer delivers nothing more after this error.
    fileprivate var endsProducer: Bool { isFatal || code == .fatal }
}
