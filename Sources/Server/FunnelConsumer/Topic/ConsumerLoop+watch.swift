import FunnelStore
import Funnels
import Logging

extension ConsumerLoop {
    /// Compares records that were read before with the topic's, from time to time while records arrive.
    ///
    /// - Throws: `StoreError.otherData` if the topic was deleted and created again.
    func watchTopic(now: ContinuousClock.Instant) throws {
        switch topicWatch.poll() {
        case .replaced(let partition, let mark):
            do {
                try keep(mark, of: partition)
            } catch {
                logger.error("the store was not marked", metadata: ["error": "\(error)"])
            }
            throw StoreError.replacedRecord(mark, partition: partition, topic: options.topic)
        case .confirmed(let marks):
            for (partition, mark) in marks { intake.confirm(mark, of: partition) }
        case nil: break
        }
        guard now >= nextTopicCheck, topicWatch.isIdle else { return }
        let records = intake.unconfirmedRecords
        guard !records.isEmpty else { return }
        nextTopicCheck = now + options.topicCheckInterval
        topicWatch.begin(records)
    }

    /// Makes the store refuse the topic from now on: gives it back the mark that the topic does not have.
    ///
    /// The store may have counted records of the new topic, the last of which the next start would find there.
    private func keep(_ mark: RecordMark, of partition: Int32) throws {
        // What was read since the last commit is dropped.
        _ = readiness.awaitingStore { commitThread.wait() }
        let progress = try readiness.awaitingStore { try store.progress() }
        guard let stored = progress.first(where: { $0.partition == partition }) else { return }
        logger.error(
            "the store has counted records of another topic of this name",
            metadata: ["partition": "\(partition)", "from": "\(mark.offset + 1)", "to": "\(stored.nextOffset)"]
        )
        let advance = PartitionAdvance(
            partition: partition,
            expectedOffset: stored.nextOffset,
            nextOffset: stored.nextOffset,
            watermark: stored.watermark,
            isAtEnd: stored.isAtEnd,
            lastRecord: mark,
            quality: Quality()
        )
        _ = try store.commit(StoreCommit(partitions: [advance], installs: [], summary: []))
    }
}
