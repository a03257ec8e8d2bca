import Synchronization

/// A producer's promise to tell what became of the records of one batch.
public final class DeliveryReceipt: Sendable {
    /// One result for each record, in their order.
    public typealias Results = [Result<RecordMetadata, KafkaError>]

    private enum State {
        case open([CheckedContinuation<DeliveryReport, Never>])
        case settled(DeliveryReport)
    }

    private let state = Mutex(State.open([]))

    init() {}

    /// Waits until each record is delivered or has failed. May be asked any number of times.
    nonisolated(nonsending) public func results() async -> Results { await report().results }

    /// Waits like ``results()``, and returns the errors of those that have failed, by their number in the batch. Empty
    /// where all are delivered: cheaper for whoever need not know where they stand.
    nonisolated(nonsending) public func failures() async -> [Int: KafkaError] { await report().failures }

    nonisolated(nonsending) private func report() async -> DeliveryReport {
        await withCheckedContinuation { continuation in
            let report: DeliveryReport? = state.withLock { state in
                switch state {
                case .settled(let report):
                    return report
                case .open(let waiting):
                    state = .open(waiting + [continuation])
                    return nil
                }
            }
            if let report {
                continuation.resume(returning: report)
            }
        }
    }

    /// Tells what became of the records; called once.
    func settle(_ report: DeliveryReport) {
        let waiting = state.withLock { state in
            defer { state = .settled(report) }
            if case .open(let waiting) = state { return waiting }
            return []
        }
        waiting.forEach { $0.resume(returning: report) }
    }
}
