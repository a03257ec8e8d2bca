import EventReader
import FlowEvents
import FunnelStore
import Funnels
import RDKafka
import Logging

/// Reads, counts and commits the events of a topic. It belongs to the consumer's thread.
final class ConsumerLoop {
    let options: FunnelConsumerOptions
    let store: any FunnelStore
    let consumer: Consumer
    let logger: Logger
    let deadLetterSender: DeadLetterSender
    var intake: RecordIntake
    private let isStopped: @Sendable () -> Bool
    let metrics = ConsumerMetricsRecorder()
    private var watch: ConsumerWatch
    let readiness: ConsumerReadiness
    private let clock = ContinuousClock()
    private var schedule: CommitSchedule
    private var deadLetters: [DeadLetter] = []
    private var deadLetterBytes = 0
    // The partitions' offsets and counts in the commit under way.
    private var openAdvances: [PartitionAdvance] = []
    var writer: StoreWriter
    private var partitionCount: Int?
    /// The end offset of each partition, if the run ends there.
    private(set) var ends: [Int32: Int64] = [:]
    var logThrottle = LogThrottle()

    init(
        options: FunnelConsumerOptions,
        store: any FunnelStore,
        logger: Logger,
        readiness: ConsumerReadiness = ConsumerReadiness(),
        isStopped: @escaping @Sendable () -> Bool
    ) throws {
        self.options = options
        self.store = store
        self.logger = logger
        self.isStopped = isStopped
        self.readiness = readiness
        watch = ConsumerWatch(metrics: metrics, logger: logger, readiness: readiness, now: clock.now)
        consumer = try Consumer(configuration: options.kafka, groupID: options.groupID, logger: logger)
        deadLetterSender = try DeadLetterSender(
            configuration: options.kafka,
            topic: options.deadLetterTopic,
            logger: logger
        )
        intake = RecordIntake(funnels: options.funnels, allowedLateness: options.allowedLateness.wholeMilliseconds)
        writer = StoreWriter(Committer(store: store, funnels: options.funnels, isNew: false))
        schedule = CommitSchedule(interval: options.commitInterval, now: clock.now)
    }

    func run() throws {
        defer {
            consumer.close()
            deadLetterSender.close()
        }
        let clusterID: String
        do {
            clusterID = try consumer.clusterID(within: options.startTimeout)
        } catch {
            throw FunnelConsumerError.brokersUnreachable(error)
        }
        let identity = StoreIdentity(clusterID: clusterID, topic: options.topic, funnels: options.funnels)
        let progress = try store.open(identity)
        readiness.setStoreOpen()
        let partitionCount = try requesting {
            try consumer.partitionCount(of: options.topic, within: options.startTimeout)
        }
        self.partitionCount = partitionCount
        writer = makeWriter(options.funnels, isNew: progress.isEmpty)
        try checkPartitions(of: progress, count: partitionCount)
        if options.exitsAtEnd {
            guard let partitionCount else {
                logger.notice(
                    "the topic does not exist: there is nothing to read",
                    metadata: ["topic": "\(options.topic)"]
                )
                return
            }
            try assignToEnd(partitionCount: partitionCount, progress)
        } else {
            try requesting { try consumer.subscribe(to: [options.topic]) }
        }
        logger.info("reading", metadata: ["topic": "\(options.topic)", "cluster": "\(clusterID)"])
        let firstFetch = clock.now
        var recordCount = 0
        repeat {
            while !isStopped(), !isAtEnd {
                let poll = consumer.poll(timeout: .milliseconds(100))
                let start = clock.now
                count(poll.records)
                recordCount += poll.records.count
                watch.recordPoll(recordCount: poll.records.count, since: start, now: clock.now)
                for event in poll.events { try handle(event) }
                try commitIfDue(isQuiet: poll.records.isEmpty)
                watch.updateLag(of: consumer, now: clock.now)
            }
            try commitAll()
            // If another consumer was quicker, the last commit has moved the partitions back to the store's offsets.
        } while !isStopped() && !isAtEnd
        logger.info(
            "read and committed",
            metadata: ["records": "\(recordCount)", "seconds": "\(firstFetch.duration(to: clock.now) / .seconds(1))"]
        )
    }

    func makeWriter(_ funnels: [Funnel], isNew: Bool) -> StoreWriter {
        StoreWriter(
            Committer(
                store: store,
                funnels: funnels,
                bounds: options.bounds,
                partitionCount: partitionCount,
                isNew: isNew,
                metrics: metrics
            )
        )
    }

    /// Runs a request to Kafka whose failure ends the consumer.
    func requesting<Value>(_ body: () throws -> Value) throws -> Value {
        do {
            return try body()
        } catch let error as KafkaError {
            throw FunnelConsumerError.kafka(error)
        }
    }

    private var isAtEnd: Bool {
        options.exitsAtEnd
            && ends.allSatisfy { intake.position(of: $0.key) ?? 0 >= $0.value }
    }

    private func assignToEnd(partitionCount: Int, _ progress: [PartitionProgress]) throws {
        let partitions = (0..<Int32(partitionCount)).map { TopicPartition(topic: options.topic, partition: $0) }
        try requesting {
            let starts = try starts(of: partitions, progress) { ends[$0] = $1.high }
            try consumer.assign(starts)
        }
        readiness.setAssigned(true)
    }

    private func count(_ records: RecordBatch) {
        for letter in Self.count(records, before: ends, into: &intake) {
            deadLetterBytes += letter.byteCount
            deadLetters.append(letter)
        }
    }

    // Static, so that exclusive access to the intake is checked once for the batch, not for each record.
    private static func count(
        _ records: RecordBatch,
        before ends: [Int32: Int64],
        into intake: inout RecordIntake
    ) -> [DeadLetter] {
        var letters: [DeadLetter] = []
        // Consecutive records are mostly of one partition: look its end up once.
        var end: (partition: Int32, offset: Int64) = (-1, .max)
        records.forEach { record in
            if record.partition != end.partition {
                end = (record.partition, ends[record.partition] ?? .max)
            }
            // Records that were published after the start are for the next run.
            guard record.offset < end.offset else { return }
            let violation = intake.take(
                record.value ?? UnsafeRawBufferPointer(start: nil, count: 0),
                timestamp: record.timestamp.milliseconds.map(Timestamp.init),
                partition: record.partition,
                offset: record.offset
            )
            if let violation { letters.append(DeadLetter(record, violation)) }
        }
        return letters
    }

    // MARK: Committing

    private var pendingByteCount: Int { intake.pendingByteCount + deadLetterBytes }

    private func commitIfDue(isQuiet: Bool) throws {
        if let outcome = writer.poll() { try finish(outcome) }
        guard schedule.isDue(now: clock.now, isQuiet: isQuiet, byteCount: pendingByteCount) else { return }
        guard writer.isIdle || schedule.isFull(byteCount: pendingByteCount) else { return }
        try finishOpenCommit()
        try beginCommit()
    }

    /// Commits all records that were read, and returns when the store has them.
    func commitAll() throws {
        try finishOpenCommit()
        try beginCommit()
        try finishOpenCommit()
    }

    private func finishOpenCommit() throws {
        if let outcome = writer.wait() { try finish(outcome) }
    }

    private func beginCommit() throws {
        guard intake.hasChanges else { return }
        schedule.recordStart(now: clock.now)
        openAdvances = intake.takeAdvances()
        let letters = deadLetters
        deadLetters = []
        deadLetterBytes = 0
        writer.begin(intake.takeInterval(), openAdvances) { [deadLetterSender] in
            try deadLetterSender.send(letters)
        } onEnd: { [waker = consumer.waker] in
            waker.wake()
        }
    }

    private func finish(_ outcome: StoreWriter.Outcome) throws {
        let fence: [PartitionProgress]?
        do {
            fence = try outcome.get()
        } catch let rebuilt as StoreRebuilt {
            return try adoptFunnels(of: rebuilt)
        }
        guard let progress = fence else { return commitToGroup() }
        logger.warning("another consumer has moved these partitions on; reading again from the store's offsets")
        try restart(from: progress)
    }

    /// Drops what was not committed, and reads on from the store's offsets.
    func restart(from progress: [PartitionProgress]) throws {
        intake.forgetInstalls()
        deadLetters = []
        deadLetterBytes = 0
        try requesting { try consumer.seek(starts(of: consumer.assignment, progress)) }
    }

    // The consumer reads from the store's offsets. Those of the group are for tools that show its lag.
    private func commitToGroup() {
        let offsets = openAdvances.map { advance in
            (TopicPartition(topic: options.topic, partition: advance.partition), advance.nextOffset)
        }
        do throws(KafkaError) {
            try consumer.commit(Dictionary(uniqueKeysWithValues: offsets))
        } catch {
            logger.debug("the group's offsets were not committed", metadata: ["error": "\(error)"])
        }
    }
}
