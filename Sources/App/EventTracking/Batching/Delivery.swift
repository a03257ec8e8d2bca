/// Sends events to a sink as a ``Batcher`` decides: passes it the time, the outcomes and random numbers, and performs its
/// actions.
///
/// It has no thread, and a timer only while events wait for one. It sends queued events even after the tracker is
/// deallocated.
actor Delivery {
    private let sink: EventSink
    private let timeline: Timeline
    private let jitter: @Sendable () -> Double
    private let ledger: Ledger
    private var batcher: Batcher<EncodedEvent>
    private var timer = WakeTimer()
    private var flushes = Waiters<Void, Never>()

    init(_ parts: TrackerParts) {
        sink = parts.sink
        timeline = parts.timeline
        jitter = parts.jitter
        ledger = parts.ledger
        batcher = Batcher(configuration: parts.batching, maximumBatchesInFlight: sink.maximumBatchesInFlight)
    }

    func add(_ events: [EncodedEvent]) {
        perform(batcher.add(events.map { ($0, $0.size) }, at: timeline.elapsed))
    }

    /// Sends all queued events; see ``Batcher/flush(_:isPersistent:at:)``.
    func flush(isPersistent: Bool = false) async {
        let id = flushes.makeID()
        await withCheckedContinuation { continuation in
            flushes.add(continuation, id: id)
            perform(batcher.flush(id, isPersistent: isPersistent, at: timeline.elapsed))
        }
    }

    func abandon() {
        perform(batcher.abandon())
    }

    func clear(_ reason: DropReason) {
        perform(batcher.clear(reason))
    }

    func resume() {
        perform(batcher.resume(at: timeline.elapsed))
    }

    private func perform(_ actions: [Batcher<EncodedEvent>.Action]) {
        for action in actions {
            switch action {
            case .send(let id, let events): send(id, events)
            case .forget(let events): ledger.delivered(events.count)
            case .drop(let events, let reason, let detail):
                ledger.dropped(Drop(reason: reason, count: events.count, detail: detail))
            case .retry(let count, let delay, let failure):
                ledger.report(.retrying(events: count, delay: delay, failure))
            case .pause(let count, let failure): ledger.report(.paused(events: count, failure))
            case .flushSink: Task { [sink] in await sink.flush() }
            case .finish(let id): flushes.remove(id)?.resume()
            }
        }
        setTimer()
    }

    private func send(_ id: Int, _ events: [EncodedEvent]) {
        Task {
            let receipt = await sink.submit(events)
            perform(batcher.submitted(at: timeline.elapsed))
            let outcomes = await receipt.outcomes()
            perform(batcher.settled(id, outcomes: outcomes, at: timeline.elapsed, jitter: jitter()))
        }
    }

    private func setTimer() {
        timer.set(to: batcher.nextWake, on: timeline) { await self.wake(at: $0) }
    }

    private func wake(at time: Duration) {
        guard timer.take(time) else { return }
        perform(batcher.wake(at: timeline.elapsed))
    }
}
