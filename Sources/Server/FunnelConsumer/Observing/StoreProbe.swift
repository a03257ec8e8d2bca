import Dispatch
import FunnelServiceSupport
import FunnelStore
import Synchronization

/// Asks a store whether it answers, and waits no longer than a limit.
final class StoreProbe: Sendable {
    private let store: any FunnelStore
    private let limit: Duration
    // A queue of its own, because a store blocks and must not hold up the cooperative pool.
    private let queue = DispatchQueue(label: "funnel-consumer.probe")
    private let timer = DispatchQueue(label: "funnel-consumer.probe-timer")
    // The callers that wait for the question under way; `nil` where none is. A store that hangs is asked once, not by
    // each caller.
    private let waiting = Mutex<[FirstValue<String?>]?>(nil)

    init(store: any FunnelStore, limit: Duration = .seconds(3)) {
        self.store = store
        self.limit = limit
    }

    /// Returns what is wrong with the store, or `nil` if it answers.
    ///
    /// An outage that the store knows of is returned at once. The store is asked all the same: its answer ends the outage.
    func failure() async -> String? {
        let answer = FirstValue<String?>()
        if let outage = store.outage { answer.set(outage.description) }
        let isFirst = waiting.withLock { waiting in
            defer { waiting = (waiting ?? []) + [answer] }
            return waiting == nil
        }
        if isFirst { queue.async { self.ask() } }
        timer.asyncAfter(deadline: .now() + (limit / .seconds(1))) { [self] in
            answer.set("the store has not answered within \(limit)")
            // A store may hang for hours, and is asked every few seconds.
            waiting.withLock { $0?.removeAll { $0 === answer } }
        }
        return await answer.value()
    }

    private func ask() {
        var failure: String?
        do throws(StoreError) {
            _ = try store.progress()
        } catch {
            failure = error.description
        }
        let all = waiting.withLock { waiting in
            defer { waiting = nil }
            return waiting ?? []
        }
        for answer in all { answer.set(failure) }
    }
}
