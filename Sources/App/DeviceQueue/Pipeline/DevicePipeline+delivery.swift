import EventTracking
import FlowEvents

extension DevicePipeline {
    /// Performs the actions of the batcher. Delivered and dropped events are counted when the disk has changed.
    func perform(_ actions: [Batcher<Int64>.Action]) {
        for action in actions {
            switch action {
            case .send(let id, let rows): Task { await send(id, rows) }
            case .forget, .drop: break
            case .retry(let count, let delay, let failure):
                parts.ledger.report(.retrying(events: count, delay: delay, failure))
            case .pause(let count, let failure): parts.ledger.report(.paused(events: count, failure))
            case .flushSink: Task { [sink = parts.sink] in await sink.flush() }
            case .finish(let id): flushes.remove(id)?.resume()
            }
        }
        setTimer()
    }

    private func send(_ id: Int, _ rows: [Int64]) async {
        let epoch = epoch
        var outcomes: [EventOutcome]
        do throws(DeviceQueueError) {
            if let refusal = try await learnClock() {
                outcomes = rows.map { _ in EventOutcome(refusal) }
                perform(batcher.submitted(at: parts.timeline.elapsed))
            } else {
                outcomes = try await submit(id, rows, epoch)
            }
        } catch {
            flights[id] = nil
            await handle(error)
            guard epoch == self.epoch else { return perform(batcher.submitted(at: parts.timeline.elapsed)) }
            let failure = SinkFailure(code: "storage", detail: error.description)
            outcomes = rows.map { _ in .retry(failure) }
            perform(batcher.submitted(at: parts.timeline.elapsed))
        }
        perform(batcher.settled(id, outcomes: outcomes, at: parts.timeline.elapsed, jitter: parts.jitter()))
        await keepRetry()
        if reportsLosses { await drain() }
    }

    /// Sends the events of rows and removes the settled ones from the disk. Returns one outcome for each row.
    private func submit(_ id: Int, _ rows: [Int64], _ epoch: Int) async throws(DeviceQueueError) -> [EventOutcome] {
        guard epoch == self.epoch, let first = rows.min(), let last = rows.max() else {
            perform(batcher.submitted(at: parts.timeline.elapsed))
            return []
        }
        flights[id] = first...last
        let events = try await queue.claim(rows, flight)
        let present = rows.compactMap { row in events[row].map { (row: row, event: $0) } }
        // After the end of the run, the app may have shut the sink down. The events stay in the queue.
        guard !isOver else {
            perform(batcher.submitted(at: parts.timeline.elapsed))
            flights[id] = nil
            return rows.map { _ in .retry(SinkFailure(code: "shutdown", detail: "the run was over before the request"))
            }
        }
        // Not sent: events that are no longer in the queue, and all events if tracking was switched off meanwhile.
        let isCanceled = epoch != self.epoch || present.isEmpty
        let receipt = isCanceled ? nil : await parts.sink.submit(present.map(\.event))
        perform(batcher.submitted(at: parts.timeline.elapsed))
        let answers = await receipt?.outcomes() ?? []
        var byRow: [Int64: EventOutcome] = [:]
        var settlement = DeliverySettlement()
        for (index, (row, event)) in present.enumerated() {
            let outcome = index < answers.count ? answers[index] : .rejected(.noOutcome)
            byRow[row] = outcome
            switch outcome {
            case .delivered: settlement.delivered.append(row)
            case .rejected(let failure): settlement.rejected.append((row, event, failure))
            case .retry, .pause: break
            }
        }
        guard epoch == self.epoch else { return [] }
        flights[id] = nil
        countGone(rows.filter { events[$0] == nil })
        unsettled.append(settlement)
        do throws(DeviceQueueError) {
            try await settleRest()
        } catch {
            // The outcomes are known, but not written to the disk. The write is repeated; the events are not sent again.
            await handle(error)
        }
        return rows.map { byRow[$0] ?? .delivered }
    }

    /// The rows in flight.
    private var flight: Flight {
        let first = flights.values.map(\.lowerBound).min()
        let last = flights.values.map(\.upperBound).max()
        let rows = first.flatMap { first in last.map { first...$0 } }
        return Flight(run: run, rows: rows, now: parts.now())
    }

    private func countGone(_ rows: [Int64]) {
        // Dropped events are counted already. Events that another process settled do not count for this one.
        let foreign = rows.filter { evicted.remove($0) == nil }
        parts.ledger.tracked(-foreign.count)
    }

    func settleRest() async throws(DeviceQueueError) {
        while let settlement = unsettled.first {
            let epoch = epoch
            unsettled.removeFirst()
            do throws(DeviceQueueError) {
                let settled = try await queue.settle(settlement, flight)
                guard epoch == self.epoch else { return }
                count(settled, settlement)
            } catch {
                if epoch == self.epoch { unsettled.insert(settlement, at: 0) }
                throw error
            }
        }
    }

    private func count(_ settled: Settled, _ settlement: DeliverySettlement) {
        if settled.delivered > 0 { parts.ledger.delivered(settled.delivered) }
        for (code, count) in settled.rejected {
            let detail = settlement.rejected.first { $0.failure.code == code }?.failure.detail
            parts.ledger.dropped(Drop(reason: .rejected(code: code), count: count, detail: detail))
        }
        parts.ledger.tracked(-settled.gone)
        // Reported only when the sink accepts events; before that, the notices would only fill the queue.
        if settled.hasLosses && settled.delivered > 0 { reportsLosses = true }
    }

    /// Compares the clocks of device and receiver, once in a run. Returns why, if the receiver cannot be asked.
    private func learnClock() async throws(DeviceQueueError) -> SinkRefusal? {
        guard !isClockKnown else { return nil }
        let asked = parts.now()
        switch await parts.sink.clock() {
        case .none: break
        case .unavailable(let refusal): return refusal
        case .reading(let reading):
            let offset = ClockOffset.milliseconds(
                reading: reading,
                asked: asked,
                answered: parts.now(),
                tolerance: queue.configuration.clockTolerance
            )
            try await queue.fixOffset(offset, of: run)
        }
        isClockKnown = true
        return nil
    }

    /// Saves the remaining waits, so that a new launch continues them.
    private func keepRetry() async {
        let snapshot = batcher.retrySnapshot(at: parts.timeline.elapsed)
        guard snapshot.failures != savedRetry.failures || snapshot.sinkWait > .zero else { return }
        savedRetry = snapshot
        do throws(DeviceQueueError) {
            try await queue.save(snapshot, at: parts.now())
        } catch {
            await handle(error)
        }
    }

    func setTimer() {
        let wake = [batcher.nextWake, storageWake].compactMap { $0 }.min()
        timer.set(to: wake, on: parts.timeline) { await self.wake(at: $0) }
    }

    private func wake(at time: Duration) async {
        guard timer.take(time) else { return }
        if let storageWake, storageWake <= parts.timeline.elapsed { await drain() }
        perform(batcher.wake(at: parts.timeline.elapsed))
    }
}
