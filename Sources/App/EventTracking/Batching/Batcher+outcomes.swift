extension Batcher {
    /// Call this with the outcomes of a batch: one for each of its items, in order.
    ///
    /// - Parameter jitter: a random number, at least 0 and below 1.
    package mutating func settled(
        _ id: BatchID,
        outcomes: [EventOutcome],
        at now: Duration,
        jitter: Double
    ) -> [Action] {
        // The items of an abandoned batch are already counted as dropped.
        guard let flight = inFlight.removeValue(forKey: id) else { return [] }
        inFlightCount -= flight.entries.count
        inFlightBytes -= flight.bytes
        var result = BatchResult(flight.entries, outcomes)
        var actions: [Action] = []
        if !result.delivered.isEmpty { actions.append(.forget(result.delivered)) }
        for (failure, items) in result.rejected {
            actions.append(.drop(items, .rejected(code: failure.code), detail: failure.detail))
        }
        if result.again.isEmpty {
            retry.succeed(round: flight.round)
        } else {
            actions += postpone(&result, round: flight.round, at: now, jitter: jitter)
            markFlushesFailed(from: flight.entries[0].ticket)
        }
        return actions + proceed(at: now)
    }

    /// Returns the items that the sink did not take to the queue, and waits for the backoff or for ``resume(at:)``.
    private mutating func postpone(
        _ result: inout BatchResult,
        round: Int,
        at now: Duration,
        jitter: Double
    ) -> [Action] {
        var actions: [Action] = []
        let count = result.again.count
        putBack(&result.again)
        if let failure = result.failure {
            let isNew = retry.fail(
                round: round,
                madeProgress: !result.delivered.isEmpty,
                atLeast: result.after,
                at: now,
                backoff: configuration.backoff,
                jitter: jitter
            )
            if isNew { actions.append(.retry(count: count, delay: retry.delay(at: now), failure)) }
        }
        if let failure = result.pause {
            isPaused = true
            actions.append(.pause(count: count, failure))
        }
        return actions
    }

    /// Returns entries to the queue by their tickets, because batches can settle in any order.
    private mutating func putBack(_ again: inout [Entry]) {
        guard let last = again.last?.ticket else { return }
        waitingBytes += again.reduce(0) { $0 + $1.bytes }
        while let head = waiting.first, head.ticket < last, let entry = waiting.popFirst() { again.append(entry) }
        again.sort { $0.ticket < $1.ticket }
        waiting.prepend(again)
    }

    private mutating func markFlushesFailed(from ticket: Int) {
        for index in flushes.indices where flushes[index].through >= ticket {
            flushes[index].hasFailed = true
            flushes[index].hasAskedSink = false
        }
    }

    /// Whether an item with this ticket or a lower one is in flight.
    func isInFlight(through ticket: Int) -> Bool {
        inFlight.values.contains { $0.entries[0].ticket <= ticket }
    }

    mutating func finishFlushes() -> [Action] {
        let over = flushes.filter { flush in
            guard !isInFlight(through: flush.through) else { return false }
            let isWaiting = waiting.first.map { $0.ticket <= flush.through } ?? false
            return !isWaiting || flush.hasFailed && !flush.isPersistent
        }
        guard !over.isEmpty else { return [] }
        flushes.removeAll { flush in over.contains { $0.id == flush.id } }
        return over.map { .finish($0.id) }
    }

    /// The items of a batch, grouped by outcome.
    private struct BatchResult {
        var delivered: [Item] = []
        var rejected: [(SinkFailure, [Item])] = []
        var again: [Entry] = []
        var failure: SinkFailure?
        var pause: SinkFailure?
        var after: Duration?

        init(_ entries: [Entry], _ outcomes: [EventOutcome]) {
            for (index, entry) in entries.enumerated() {
                switch index < outcomes.count ? outcomes[index] : .rejected(.noOutcome) {
                case .delivered:
                    delivered.append(entry.item)
                case .rejected(let reason):
                    reject(entry.item, reason)
                case .retry(let reason, let time):
                    failure = failure ?? reason
                    after = [after, time].compactMap { $0 }.max()
                    sendAgain(entry)
                case .pause(let reason):
                    pause = pause ?? reason
                    sendAgain(entry)
                }
            }
        }

        private mutating func sendAgain(_ entry: Entry) {
            var entry = entry
            entry.isRetry = true
            again.append(entry)
        }

        private mutating func reject(_ item: Item, _ reason: SinkFailure) {
            if let index = rejected.firstIndex(where: { $0.0.code == reason.code }) {
                rejected[index].1.append(item)
            } else {
                rejected.append((reason, [item]))
            }
        }
    }
}
