import Synchronization

/// A producer's promise to tell what became of the records of one batch.
public final class DeliveryReceipt: Sendable {
    /// One result for each record, in their order.
    public typealias Results = [Result<RecordMetadata, KafkaError>]

    private enum State {
        case open([CheckedContinuation<Results, Never>])
        case settled(Results)
    }

    private let state = Mutex(State.open([]))

    init() {}

    /// Waits until each record is delivered or has failed. May be asked any number of times.
    nonisolated(nonsending) public func results() async -> Results {
        await withCheckedContinuation { continuation in
            let results: Results? = state.withLock { state in
                switch state {
                case .settled(let results):
                    return results
                case .open(let waiting):
                    state = .open(waiting + [continuation])
                    return nil
                }
            }
            if let results {
                continuation.resume(returning: results)
            }
        }
    }

    /// Tells the results; called once.
    func settle(_ results: Results) {
        let waiting = state.withLock { state in
            defer { state = .settled(results) }
            if case .open(let waiting) = state { return waiting }
            return []
        }
        waiting.forEach { $0.resume(returning: results) }
    }
}
