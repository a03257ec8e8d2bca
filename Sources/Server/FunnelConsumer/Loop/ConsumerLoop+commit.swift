import FunnelServiceSupport
import FunnelStore
import Funnels
import RDKafka
import Logging

extension ConsumerLoop {
    private var pending: PendingLoad {
        var pending = intake.pending
        pending.byteCount += deadLetterBytes
        return pending
    }

    /// Begins a commit if it is time for one, and handles the outcome of the one under way.
    func commitIfDue() throws {
        if let outcome = commitThread.poll() { try finish(outcome) }
        if !commitThread.isIdle { warnOfSlowCommit() }
        let pending = pending
        guard schedule.isDue(now: clock.now, pending, unread: { unreadCount }) else { return }
        guard commitThread.isIdle || schedule.isFull(pending) else { return }
        try finishOpenCommit()
        try beginCommit()
    }

    /// The number of unread records of the assigned partitions, as far as they are known without a request.
    private var unreadCount: Int {
        consumer.lag.values.reduce(0) { $0 + Int($1) }
    }

    // A store that hangs returns no error.
    private func warnOfSlowCommit() {
        let duration = schedule.lastStart.duration(to: clock.now)
        guard duration >= options.slowCommit else { return }
        logThrottle.limited("commit") {
            logger.warning(
                "a commit is not done yet: waiting for the store or the dead-letter topic",
                metadata: ["seconds": "\(duration.components.seconds)"]
            )
        }
    }

    /// Commits all records that were read, and returns when the store has them.
    func commitAll() throws {
        try finishOpenCommit()
        try beginCommit()
        try finishOpenCommit()
    }

    /// Commits what was read, or only finishes the commit under way where the next one would take long.
    ///
    /// - Returns: whether all that was read is committed.
    func commitAtStop() throws -> Bool {
        let commitsAll = schedule.isWorthCommittingAtStop(pending)
        try commitsAll ? commitAll() : finishOpenCommit()
        return commitsAll
    }

    private func finishOpenCommit() throws {
        if let outcome = readiness.awaitingStore({ commitThread.wait() }) { try finish(outcome) }
    }

    private func beginCommit() throws {
        guard intake.hasChanges else { return }
        schedule.recordStart(now: clock.now, pending)
        openAdvances = intake.takeAdvances(now: .current)
        let letters = deadLetters
        deadLetters = []
        deadLetterBytes = 0
        commitThread.begin(intake.takeInterval(), openAdvances) { [deadLetterSender] in
            try deadLetterSender.send(letters)
        } onEnd: { [waker = consumer.waker] in
            waker.wake()
        }
    }

    private func finish(_ outcome: CommitThread.Outcome) throws {
        schedule.recordEnd(now: clock.now)
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
        try requesting { try consumer.seek(knownStarts(of: consumer.assignment, progress)) }
        setEnds()
    }

    // The consumer reads from the store's offsets. Those of the group are for tools that show its lag.
    private func commitToGroup() {
        guard countRules == nil else { return }
        let offsets = openAdvances.map { advance in
            (TopicPartition(topic: options.topic, partition: advance.partition), advance.nextOffset)
        }
        do throws(KafkaError) {
            try consumer.commit(Dictionary(uniqueKeysWithValues: offsets), metadata: group.metadata)
        } catch {
            logger.debug("the group's offsets were not committed", metadata: ["error": "\(error)"])
        }
    }
}
