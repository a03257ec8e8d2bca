internal import EventReader
import FlowEvents
import Foundation
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
    let clock = ContinuousClock()
    var schedule: CommitSchedule
    private var memorySchedule: MemorySchedule
    var deadLetters: [DeadLetter] = []
    var deadLetterBytes = 0
    // The partitions' offsets and counts in the commit under way.
    var openAdvances: [PartitionAdvance] = []
    var commitThread: CommitThread
    /// The funnels that are counted now: a rebuild may have changed those of the options.
    var funnels: [Funnel]
    private(set) var partitionCount: Int?
    var topicFacts = TopicFacts()
    /// The partitions that stopped at an offset that the broker does not have, in the order in which to continue them.
    var outOfRange: [TopicPartition] = []
    /// When ``outOfRange`` is tried again.
    var nextSeek = ContinuousClock.now
    /// The end offset of each partition, if the run ends there.
    var ends: [Int32: Int64] = [:]
    /// What is special about a count that is no service; `nil` for the service.
    let countRules: CountRules?
    /// What the count knows of the partitions' beginnings.
    var beginnings = TopicBeginnings()
    var logThrottle = LogThrottle()
    let group: GroupBinding
    /// When the topic's partitions, if no group assigns them, or the group's stores are looked at again.
    var nextAssignmentCheck = ContinuousClock.now
    /// When the store is told again that partitions without further records are read.
    var nextEndConfirmation = ContinuousClock.now + .seconds(60)
    let topicWatch: TopicWatch
    /// When ``topicWatch`` may compare again.
    var nextTopicCheck = ContinuousClock.now

    // A commit waits longer than a fetch may. With librdkafka's default of one byte, a broker answers each of a
    // producer's small batches at once, and at 2,000 records a second that took a fifth of the consumer's processor
    // time. A count that ends must not wait for more bytes than there are.
    private static let consumerDefaults: KafkaConfiguration = ["fetch.min.bytes": "65536"]

    init(
        options: FunnelConsumerOptions,
        store: any FunnelStore,
        logger: Logger,
        readiness: ConsumerReadiness = ConsumerReadiness(),
        countRules: CountRules? = nil,
        isStopped: @escaping @Sendable () -> Bool
    ) throws {
        self.options = options
        funnels = options.funnels
        self.store = store
        self.logger = logger
        self.isStopped = isStopped
        self.readiness = readiness
        self.countRules = countRules
        watch = ConsumerWatch(metrics: metrics, logger: logger, readiness: readiness, now: clock.now)
        group = GroupBinding(groupID: options.groupID, storeID: try store.sharedID())
        consumer = try Consumer(
            configuration: options.kafka.withDefaults(countRules == nil ? Self.consumerDefaults : [:]),
            groupID: countRules == nil ? group.groupID : nil,
            logger: logger
        )
        deadLetterSender = DeadLetterSender(
            configuration: options.kafka,
            topic: options.deadLetterTopic,
            logger: logger
        )
        topicWatch = TopicWatch(kafka: options.kafka, topic: options.topic, logger: logger)
        intake = RecordIntake(funnels: options.funnels, allowedLateness: options.allowedLateness.wholeMilliseconds)
        commitThread = CommitThread(Committer(store: store, funnels: options.funnels, isNew: false))
        schedule = CommitSchedule(
            interval: options.commitInterval,
            byteLimits: CommitSchedule.byteLimits(
                cacheBytes: options.bounds.cacheBytes,
                inBatches: store is any BatchedStore
            ),
            now: clock.now
        )
        memorySchedule = MemorySchedule(now: clock.now)
    }

    /// Reads until it is stopped, or to the end, and commits.
    ///
    /// - Parameter onStep: called after each poll with the number of records that were read.
    /// - Throws: an error that ends the run, and those of `onStep`.
    func run(onStep: (_ recordCount: Int) throws -> Void = { _ in }) throws {
        defer {
            close()
            deadLetterSender.close()
        }
        guard let clusterID = try readiness.awaitingKafka(clusterID) else { return }
        let identity = StoreIdentity(clusterID: clusterID, topic: options.topic, funnels: options.funnels)
        let progress = try store.open(identity)
        readiness.setStoreOpen()
        let partitionCount = try requesting {
            try consumer.partitionCount(of: options.topic, within: options.startTimeout)
        }
        self.partitionCount = partitionCount
        commitThread = try makeCommitThread(options.funnels, isNew: progress.isEmpty)
        try warnOfOtherTimeZones(options.funnels, progress)
        try LastRecordCheck.checkPartitions(of: progress, topic: options.topic, count: partitionCount)
        if partitionCount != nil { checkTopicConfiguration() }
        if group.storeID != nil { try checkGroup(within: .seconds(5)) }
        if options.exitsAtEnd {
            guard let partitionCount else {
                if countRules != nil { throw FunnelConsumerError.missingTopic(options.topic) }
                logger.notice(
                    "the topic does not exist: there is nothing to read",
                    metadata: ["topic": "\(options.topic)"]
                )
                return
            }
            try assignToEnd(partitionCount: partitionCount, progress)
        } else if group.storeID != nil {
            try requesting { try consumer.subscribe(to: [options.topic]) }
        }
        logger.info("reading", metadata: ["topic": "\(options.topic)", "cluster": "\(clusterID)"])
        let firstFetch = clock.now
        var recordCount = 0
        var isCommitted = true
        repeat {
            while !isStopped(), !isAtEnd {
                recordCount += try step()
                try onStep(recordCount)
            }
            if isStopped() {
                isCommitted = try commitAtStop()
            } else {
                intake.confirmEnds()
                try commitAll()
            }
            // If another consumer was quicker, the last commit has moved the partitions back to the store's offsets.
        } while !isStopped() && !isAtEnd
        logger.info(
            isCommitted ? "read and committed" : "read; the next start reads the last records again",
            metadata: ["records": "\(recordCount)", "seconds": "\(firstFetch.duration(to: clock.now) / .seconds(1))"]
        )
    }

    /// Polls once, counts what has come, and commits if it is time.
    ///
    /// - Returns: the number of records.
    func step() throws -> Int {
        let poll = consumer.poll(timeout: .milliseconds(100))
        let start = clock.now
        if countRules == nil { checkTimestampType(of: poll.records) }
        count(poll.records)
        watch.recordPoll(recordCount: poll.records.count, since: start, now: clock.now)
        for event in poll.events { try handle(event) }
        try watchTopic(now: clock.now)
        try watchAssignment(now: clock.now)
        try seekOutOfRange(now: clock.now)
        if !poll.records.isEmpty { schedule.recordArrival(of: poll.records.count, now: start) }
        try commitIfDue()
        watch.updateLag(of: consumer, now: clock.now)
        if memorySchedule.isDue(pollCount: poll.records.count, isFull: poll.isFull, now: clock.now) {
            FreedMemory.returnToSystem()
        }
        return poll.records.count
    }

    /// Waits for Kafka's first answer. `nil` if the consumer is stopped meanwhile.
    private func clusterID() throws(FunnelConsumerError) -> String? {
        let end = clock.now + options.startTimeout
        while !isStopped() {
            do throws(KafkaError) {
                return try consumer.clusterID(within: min(clock.now.duration(to: end), .milliseconds(400)))
            } catch {
                guard error.isRetriable, clock.now < end else { throw .brokersUnreachable(error) }
                readiness.setKafkaError("\(error)")
            }
        }
        return nil
    }

    /// Sets the topic's number of partitions, which decides when old evidence is removed.
    ///
    /// - Throws: the errors of a commit.
    func setPartitionCount(_ count: Int) throws {
        guard count != partitionCount else { return }
        if let old = partitionCount {
            logger.notice("the topic has another number of partitions", metadata: ["old": "\(old)", "new": "\(count)"])
        }
        try commitAll()
        partitionCount = count
        // It begins with an empty cache, which costs less than a lock around the number of partitions would in each commit.
        commitThread = try makeCommitThread(funnels, isNew: false)
    }

    func makeCommitThread(_ funnels: [Funnel], isNew: Bool) throws -> CommitThread {
        let timeZones = try store.timeZones(of: funnels)
        return CommitThread(
            Committer(
                store: store,
                funnels: funnels,
                bounds: options.bounds,
                timeZones: timeZones,
                partitionCount: partitionCount,
                isNew: isNew,
                metrics: metrics,
                logger: countRules == nil ? logger : nil
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

    /// Whether all records before ``ends`` were read; never in a run without an end.
    var isAtEnd: Bool {
        options.exitsAtEnd
            && ends.allSatisfy { intake.position(of: $0.key) ?? 0 >= $0.value }
    }

    /// The share of the records before ``ends`` that is read, from 0 to 1.
    var readShare: Double {
        let total = ends.values.reduce(0, +)
        let read = ends.reduce(0) { $0 + min($1.value, intake.position(of: $1.key) ?? 0) }
        return total > 0 ? Double(read) / Double(total) : 1
    }

    private func assignToEnd(partitionCount: Int, _ progress: [PartitionProgress]) throws {
        let partitions = (0..<Int32(partitionCount)).map { TopicPartition(topic: options.topic, partition: $0) }
        try checkLastRecords(of: partitions, progress)
        try requesting {
            let starts = try starts(of: partitions, progress, within: options.startTimeout) { ends[$0] = $1.high }
            try consumer.assign(starts)
        }
        setEnds()
        try commitBeginnings(of: partitions, progress)
        readiness.setAssigned(true)
    }

    /// Makes the ends that were seen at the start the ends of the partitions: what is published later is for the next run.
    func setEnds() {
        for (partition, end) in ends { intake.setEnd(of: partition, at: end) }
    }

    private func count(_ records: RecordBatch) {
        if countRules != nil { beginnings.begin(with: records, before: ends, in: &intake) }
        for letter in Self.count(records, before: ends, into: &intake) where countRules == nil {
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
        // The index of the last record of each partition that was counted.
        var last: [Int32: Int] = [:]
        var index = -1
        var counted = -1
        records.forEach { record in
            if record.partition != end.partition {
                if counted >= 0 { last[end.partition] = counted }
                counted = -1
                end = (record.partition, ends[record.partition] ?? .max)
            }
            index += 1
            // Records that were published after the start are for the next run. Before the end there is nothing more: what
            // is last there may be the marker of a transaction, or compacted.
            guard record.offset < end.offset else { return intake.skip(record.partition, to: end.offset) }
            counted = index
            let violation = intake.take(
                record.value ?? UnsafeRawBufferPointer(start: nil, count: 0),
                timestamp: record.timestamp.milliseconds.map(Timestamp.init),
                partition: record.partition,
                offset: record.offset,
                attributes: { record.binaryModeAttributes }
            )
            if let violation { letters.append(DeadLetter(record, violation)) }
        }
        if counted >= 0 { last[end.partition] = counted }
        for (partition, index) in last {
            intake.setLastRecord(records.withRecord(at: index) { RecordMark($0) }, of: partition)
        }
        return letters
    }
}
