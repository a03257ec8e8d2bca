import FunnelServiceSupport
import FunnelStore

/// Answers questions, and keeps the answers as long as the store does not change.
///
/// However many requests ask, the store is asked for its state a few times in a second, and the same report is made
/// once.
actor ReportDesk {
    private let readers: StoreReaders
    /// Asks for the state of the store, also while all other threads make reports.
    private let watcher: StoreReaders
    private let limits: ReportServerSettings.Limits
    private let metrics: ReportMetrics
    private var answers: ReportCache
    /// The newest state, and when the store was asked for it.
    private var state: (tag: StoreTag, time: ContinuousClock.Instant)?
    private var stateUnderWay: Task<StoreTag, any Error>?
    private var underWay: [ReportQuestion: Task<ReportAnswer, any Error>] = [:]

    init(_ opening: StoreOpening, limits: ReportServerSettings.Limits, metrics: ReportMetrics) {
        self.limits = limits
        self.metrics = metrics
        answers = ReportCache(limit: limits.cachedBytes)
        readers = StoreReaders(
            opening,
            count: limits.reports,
            waitingLimit: limits.waiting,
            patience: limits.patience
        )
        watcher = StoreReaders(opening, count: 1, waitingLimit: 1, patience: limits.patience)
    }

    /// Returns the state of the store, which is not older than ``ReportServerSettings/Limits/stateAge``.
    ///
    /// - Throws: `StoreError` and `StoreReaders.Failure`.
    func tag() async throws -> StoreTag {
        if let state, ContinuousClock.now - state.time < limits.stateAge { return state.tag }
        if let stateUnderWay { return try await stateUnderWay.value }
        let start = ContinuousClock.now
        let task = Task { [watcher] in
            try await watcher.run { reader in try reader.withSnapshot { try StoreTag(reader, $0, now: .current) } }
        }
        stateUnderWay = task
        defer { stateUnderWay = nil }
        do {
            let tag = try await task.value
            learn(tag, askedAt: start)
            return tag
        } catch {
            state = nil
            throw error
        }
    }

    /// Answers a question.
    ///
    /// - Throws: `StoreError`, `StoreReaders.Failure`, and the errors of `ReportQuestion.answer(from:now:)`.
    func answer(_ question: ReportQuestion) async throws -> ReportAnswer {
        let tag = try await tag()
        if let answer = answers[question], answer.tag == tag { return answer }
        if let task = underWay[question] { return try await task.value }
        let task = Task { [readers] in try await readers.run { try question.answer(from: $0, now: .current) } }
        underWay[question] = task
        defer { underWay[question] = nil }
        let start = ContinuousClock.now
        let answer = try await task.value
        metrics.countReport(duration: ContinuousClock.now - start)
        learn(answer.tag, askedAt: start)
        if answer.tag == state?.tag { answers[question] = answer }
        return answer
    }

    private func learn(_ tag: StoreTag, askedAt time: ContinuousClock.Instant) {
        // A long report may be of an older state than the one that is known by now.
        if let state, state.time > time { return }
        // What is kept of another state will not be asked for again.
        if state?.tag != tag { answers.removeAll() }
        state = (tag, time)
    }
}
