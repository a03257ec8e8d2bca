import FlowEvents
import FunnelStore
import Funnels
import RDKafka
import Logging

extension ConsumerLoop {
    /// Continues with the partitions whose offset the broker does not have, as far as their leaders answer.
    ///
    /// Called again with each poll, because a partition without a leader must not hold up the others. One call takes a few
    /// seconds at most, whatever the number of partitions: a consumer that does not poll loses its assignment.
    ///
    /// - Throws: an error that ends the run.
    func seekOutOfRange(now: ContinuousClock.Instant) throws {
        guard !outOfRange.isEmpty, now >= nextSeek else { return }
        let assignment = Set(consumer.assignment)
        outOfRange.removeAll { !assignment.contains($0) }
        defer { nextSeek = .now + .seconds(1) }
        try commitAll()
        do {
            let progress = try readiness.awaitingStore { try store.progress() }
            try checkLastRecords(of: outOfRange, progress)
            let deadline = ContinuousClock.now + .seconds(2)
            var unanswered: KafkaError?
            for partition in outOfRange where ContinuousClock.now < deadline {
                // A partition whose leader does not answer is the last one at the next attempt.
                outOfRange.append(outOfRange.removeFirst())
                do {
                    let left = max(.milliseconds(100), deadline - ContinuousClock.now)
                    try consumer.seek(try starts(of: [partition], progress, within: left))
                    outOfRange.removeLast()
                } catch let error as KafkaError where error.isRetriable {
                    unanswered = error
                }
            }
            if let unanswered { throw unanswered }
        } catch let error as KafkaError where error.isRetriable {
            logThrottle.limited("out of range") {
                logger.warning(
                    "Kafka: cannot request the partitions' first offsets; trying again",
                    metadata: ["partitions": "\(outOfRange.map(\.partition).sorted())", "error": "\(error)"]
                )
            }
        } catch let error as KafkaError {
            throw FunnelConsumerError.kafka(error)
        }
    }

    /// Returns the offset to read each partition from: the store's, without asking the broker, which reports an offset
    /// that it does not have (``ConsumerEvent/offsetOutOfRange(_:offset:_:)``).
    ///
    /// So a partition without a leader holds up no other one. Only the first offset of a partition that the store does
    /// not know, or has no event of, is requested, and if its leader does not answer soon, the partition starts at its
    /// earliest record.
    func knownStarts(of partitions: [TopicPartition], _ progress: [PartitionProgress]) throws -> [PartitionStart] {
        let stored = Dictionary(uniqueKeysWithValues: progress.map { ($0.partition, $0) })
        let horizon = try currentHorizon()
        let deadline = ContinuousClock.now + .seconds(5)
        return try partitions.map { partition in
            let left = max(.milliseconds(100), deadline - ContinuousClock.now)
            if let known = stored[partition.partition] {
                // Without an answer, the report says that first entries may be missing.
                let watermarks =
                    PartitionIntake.needsFirstOffset(known)
                    ? try? consumer.watermarks(of: partition, within: left) : nil
                intake.assign(
                    partition.partition,
                    stored: known,
                    firstOffset: watermarks?.low,
                    horizon: horizon
                )
                return PartitionStart(partition, at: .offset(known.nextOffset))
            }
            do {
                return try starts(of: [partition], [], within: left)[0]
            } catch let error as KafkaError where error.isRetriable {
                logger.warning(
                    "Kafka: the partition's leader does not answer; the partition is read when it does",
                    metadata: ["partition": "\(partition.partition)", "error": "\(error)"]
                )
                intake.assign(partition.partition, stored: nil, horizon: horizon, isBegun: false)
                return PartitionStart(partition, at: .earliest)
            }
        }
    }

    /// The store's horizon, after the store knows this consumer's lateness: from then on no other consumer raises the horizon
    /// by a smaller one. So no event is judged here whose install has lost what was around it.
    ///
    /// - Throws: a retriable `KafkaError` while the topic's number of partitions is not known; the store's errors.
    private func currentHorizon() throws -> Timestamp? {
        guard let partitionCount else {
            throw KafkaError(
                code: .unknownTopicOrPartition,
                message: "the number of partitions of the topic '\(options.topic)' is not known yet",
                topic: options.topic
            )
        }
        let settings = TopicSettings(
            partitionCount: Int32(partitionCount),
            allowedLateness: options.bounds.allowedLateness
        )
        return try readiness.awaitingStore { try store.raiseHorizon(settings) }
    }

    /// Adds the partitions that the store does not have to it, before their first events are judged: no other consumer then
    /// raises the horizon above their floor.
    func commitBeginnings(of partitions: [TopicPartition], _ progress: [PartitionProgress]) throws {
        let known = Set(progress.map(\.partition))
        if !partitions.allSatisfy({ known.contains($0.partition) }) { try commitAll() }
    }

    /// Returns the offset to read each partition from: the store's, or the first that the broker still has.
    ///
    /// - Parameters:
    ///   - partitions: the partitions.
    ///   - progress: the store's offsets.
    ///   - timeout: how long a partition's leader may take to answer.
    ///   - onWatermarks: called with each partition and its first and end offsets.
    /// - Throws: `StoreError.otherData` if the store is ahead of the topic; `KafkaError` if Kafka does not answer.
    func starts(
        of partitions: [TopicPartition],
        _ progress: [PartitionProgress],
        within timeout: Duration,
        onWatermarks: (Int32, Watermarks) -> Void = { _, _ in }
    ) throws -> [PartitionStart] {
        let stored = Dictionary(uniqueKeysWithValues: progress.map { ($0.partition, $0) })
        let horizon = try currentHorizon()
        return try partitions.map { partition in
            let watermarks = try consumer.watermarks(of: partition, within: timeout)
            onWatermarks(partition.partition, watermarks)
            let known = stored[partition.partition]
            intake.assign(partition.partition, stored: known, firstOffset: watermarks.low, horizon: horizon)
            let offset = known?.nextOffset ?? watermarks.low
            guard offset <= watermarks.high else {
                throw StoreError.offset(
                    offset,
                    pastEnd: watermarks.high,
                    partition: partition.partition,
                    topic: options.topic
                )
            }
            guard offset < watermarks.low else {
                intake.begin(partition.partition, at: offset)
                return PartitionStart(partition, at: .offset(offset))
            }
            logger.warning(
                "records were deleted before they were read",
                metadata: [
                    "partition": "\(partition.partition)", "from": "\(offset)", "to": "\(watermarks.low)",
                    "count": "\(watermarks.low - offset)",
                ]
            )
            intake.skipDeleted(partition.partition, to: watermarks.low)
            return PartitionStart(partition, at: .offset(watermarks.low))
        }
    }
}

extension ConsumerLoop {
    /// Warns where this machine's time zone database gives other days to events than the transitions that the store
    /// keeps, by which the funnels are counted.
    func warnOfOtherTimeZones(_ funnels: [Funnel], _ progress: [PartitionProgress]) throws {
        let times = progress.compactMap(\.watermark)
        guard let first = times.min(), let last = times.max() else { return }
        let lateness = options.bounds.allowedLateness
        let (start, overflow) = first.milliseconds.subtractingReportingOverflow(lateness)
        let earliest = overflow ? .min : start
        let stored = try store.timeZones(of: funnels)
        for name in TimeZoneTables.names(of: funnels) {
            guard let kept = stored[name], let own = TimeZoneTable(named: name),
                let moment = kept.firstDifference(from: own, in: earliest...last.milliseconds)
            else { continue }
            logger.warning(
                "this machine's time zone database differs from the one that the store was counted with; the store's is used",
                metadata: ["timezone": "\(name)", "from": "\(moment)"]
            )
        }
    }
}
