import FlowEvents

/// Keeps requests to erase, and sends them until the sink has taken them.
///
/// The requests are apart from the queue of events: they do not wait behind events, a full queue does not push them out, and an
/// opt-out does not delete them.
///
/// An erasure has three steps: ``add(_:)`` saves the request, the backend begins a new install, and ``begin()`` sends the
/// request. Until the second step is done, the app's install is one of ``installs()``, and the backend must give it no event.
/// After a crash the next launch finds the request and goes on with the second step.
package actor ErasureOutbox {
    private let parts: TrackerParts
    private let storage: ErasureStorage
    private var batcher: Batcher<String>
    private var requests: [String: Event] = [:]
    private var isLoaded = false
    /// The requests that the batcher has, or that the sink has refused in this run.
    private var begun: Set<String> = []
    private var timer = WakeTimer()
    private var flushes = Waiters<Void, Never>()
    private let fileNames = IDGenerator.uuidV7()

    package init(_ parts: TrackerParts, storage: ErasureStorage) {
        self.parts = parts
        self.storage = storage
        var batching = parts.batching
        // A person waits for it.
        batching.maximumAge = .zero
        (batching.maximumQueueCount, batching.maximumQueueBytes) = (.max, .max)
        batcher = Batcher(configuration: batching, maximumBatchesInFlight: 1)
    }

    /// Whether a later launch would find requests here.
    nonisolated var outlivesTheRun: Bool { storage.outlivesTheRun }

    /// Whether every request is delivered, as far as this run knows.
    var isEmpty: Bool { requests.isEmpty }

    /// The installs whose requests are kept. None of them may get another event.
    ///
    /// - Throws: the error of the storage.
    package func installs() async throws -> Set<String> {
        try await load()
        return Set(requests.values.map(\.installID))
    }

    /// Keeps the request of an install. It is sent after the next ``begin()``.
    ///
    /// - Throws: ``ErasureRequestError``. Nothing is kept then.
    package func add(_ installID: String) async throws {
        let now = parts.now()
        let request = parts.erasureRequest(of: installID, at: now)
        // Not the event's id: an app can make ids of its own, and they may not suit as the name of a file.
        let name = fileNames(at: now)
        do {
            try await load()
            try await storage.save(name, try request.encoded())
        } catch {
            throw ErasureRequestError.notSaved(error)
        }
        requests[name] = request
    }

    /// Sends the requests that are kept. Call it when none of their installs is the app's any more.
    package func begin() {
        let new = requests.keys.filter { !begun.contains($0) }
        guard !new.isEmpty else { return }
        begun.formUnion(new)
        perform(batcher.add(new.map { ($0, 0) }, at: parts.timeline.elapsed))
    }

    /// Returns when the sink has answered for each request that is being sent; see ``Batcher/flush(_:isPersistent:at:)``.
    package func flush(isPersistent: Bool) async {
        let id = flushes.makeID()
        await withCheckedContinuation { continuation in
            flushes.add(continuation, id: id)
            perform(batcher.flush(id, isPersistent: isPersistent, at: parts.timeline.elapsed))
        }
    }

    /// Ends the run. The requests stay for the next one.
    package func abandon() {
        perform(batcher.abandon())
    }

    /// Continues to send after a pause.
    package func resume() {
        perform(batcher.resume(at: parts.timeline.elapsed))
    }

    private func load() async throws {
        guard !isLoaded else { return }
        for (name, bytes) in try await storage.load() where requests[name] == nil {
            do {
                requests[name] = try Event(json: bytes)
            } catch {
                parts.ledger.report(.erasureRefused(SinkFailure(code: "damaged", detail: error.detail)))
            }
        }
        isLoaded = true
    }

    private func perform(_ actions: [Batcher<String>.Action]) {
        for action in actions {
            switch action {
            case .send(let id, let names): Task { await send(id, names) }
            case .forget: break
            case .drop(_, .rejected(let code), let detail):
                parts.ledger.report(.erasureRefused(SinkFailure(code: code, detail: detail ?? "")))
            case .drop: break
            case .retry(let count, let delay, let failure):
                parts.ledger.report(.retrying(events: count, delay: delay, failure))
            case .pause(let count, let failure): parts.ledger.report(.paused(events: count, failure))
            case .flushSink: Task { [sink = parts.sink] in await sink.flush() }
            case .finish(let id): flushes.remove(id)?.resume()
            }
        }
        timer.set(to: batcher.nextWake, on: parts.timeline) { await self.wake(at: $0) }
    }

    private func send(_ id: Int, _ names: [String]) async {
        let outcomes: [EventOutcome]
        switch await parts.sink.clock() {
        case .unavailable(let refusal): outcomes = names.map { _ in EventOutcome(refusal) }
        case .reading(let now): outcomes = await submit(names, at: now)
        case .none: outcomes = await submit(names, at: nil)
        }
        perform(batcher.submitted(at: parts.timeline.elapsed))
        let delivered = zip(names, outcomes).filter { $0.1 == .delivered }.map(\.0)
        // Before a flush ends.
        await remove(delivered)
        perform(batcher.settled(id, outcomes: outcomes, at: parts.timeline.elapsed, jitter: parts.jitter()))
    }

    /// Sends requests with the receiver's time, where it is known: the receiver refuses what is a day ahead of its clock.
    private func submit(_ names: [String], at now: Timestamp?) async -> [EventOutcome] {
        let events = names.compactMap { name -> EncodedEvent? in
            guard var request = requests[name] else { return nil }
            if let now { request.time = now }
            return try? EncodedEvent(request)
        }
        guard events.count == names.count else {
            return names.map { _ in .rejected(SinkFailure(code: "invalid", detail: "the request cannot be encoded")) }
        }
        let outcomes = await parts.sink.submit(events).outcomes()
        return names.indices.map { $0 < outcomes.count ? outcomes[$0] : .rejected(.noOutcome) }
    }

    private func remove(_ names: [String]) async {
        for name in names {
            do {
                try await storage.remove(name)
                requests[name] = nil
            } catch {
                // The next launch sends it again, which does no harm.
                parts.ledger.report(.storage(error))
            }
        }
    }

    private func wake(at time: Duration) {
        guard timer.take(time) else { return }
        perform(batcher.wake(at: parts.timeline.elapsed))
    }
}
