import Dispatch
import FunnelStore
import Synchronization

/// Asks a store whether it answers, and does not wait for it longer than who asks can.
final class StoreProbe: Sendable {
    private let store: any FunnelStore
    private let limit: Duration
    // A queue of its own, because a store blocks and must not hold up the cooperative pool.
    private let queue = DispatchQueue(label: "funnel-consumer.probe")
    private let timer = DispatchQueue(label: "funnel-consumer.probe-timer")
    // Those who wait for the question under way; `nil` where none is. A store that hangs is asked once, not each time.
    private let waiting = Mutex<[Answer]?>(nil)

    init(store: any FunnelStore, limit: Duration = .seconds(3)) {
        self.store = store
        self.limit = limit
    }

    /// What is wrong with the store; `nil` where it answers.
    func failure() async -> String? {
        await withCheckedContinuation { continuation in
            let answer = Answer(continuation)
            let isFirst = waiting.withLock { waiting in
                defer { waiting = (waiting ?? []) + [answer] }
                return waiting == nil
            }
            if isFirst { queue.async { self.ask() } }
            timer.asyncAfter(deadline: .now() + (limit / .seconds(1))) { [limit] in
                answer.give("the store has not answered within \(limit)")
            }
        }
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
        for answer in all { answer.give(failure) }
    }
}

/// A continuation that is resumed by whoever comes first.
private final class Answer: Sendable {
    private let continuation: Mutex<CheckedContinuation<String?, Never>?>

    init(_ continuation: CheckedContinuation<String?, Never>) {
        self.continuation = Mutex(continuation)
    }

    func give(_ failure: String?) {
        let taken = continuation.withLock { continuation in
            defer { continuation = nil }
            return continuation
        }
        taken?.resume(returning: failure)
    }
}
