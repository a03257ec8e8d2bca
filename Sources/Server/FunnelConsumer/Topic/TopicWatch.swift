import Foundation
import Funnels
import Logging
import RDKafka
import Synchronization

/// Compares records that were read before with those that the topic has now, on a thread of its own.
///
/// A consumer notices most topics that are deleted and created again, because a fetch or a metadata request fails in
/// between. It does not notice one that is longer than the consumer's offset by the next fetch. So it must look at a record
/// from before, again and again while it reads.
final class TopicWatch: Sendable {
    /// The outcome of a comparison.
    enum Outcome: Sendable {
        /// The partition has another record at the offset of the mark.
        case replaced(Int32, RecordMark)
        /// These records are of the topic that the store counts, too.
        case confirmed([Int32: RecordMark])
    }

    private enum State {
        case idle
        case busy
        case done(Outcome)
    }

    private let check: LastRecordCheck
    private let topic: String
    private let state = Mutex(State.idle)

    init(kafka: KafkaConfiguration, topic: String, logger: Logger) {
        check = LastRecordCheck(kafka: kafka, logger: logger)
        self.topic = topic
    }

    var isIdle: Bool {
        state.withLock { state in
            if case .idle = state { true } else { false }
        }
    }

    /// Begins a comparison. None may be under way.
    ///
    /// - Parameter records: what was read, by partition.
    func begin(_ records: [Int32: UnconfirmedRecord]) {
        state.withLock { $0 = .busy }
        let thread = Thread { [self] in
            let outcome = compare(records)
            state.withLock { $0 = .done(outcome) }
        }
        thread.name = "funnel-consumer.topic"
        thread.start()
    }

    /// Returns the outcome of the comparison under way, or `nil` if there is none yet.
    func poll() -> Outcome? {
        state.withLock { state in
            guard case .done(let outcome) = state else { return nil }
            state = .idle
            return outcome
        }
    }

    private func compare(_ records: [Int32: UnconfirmedRecord]) -> Outcome {
        let marks = records.map { (TopicPartition(topic: topic, partition: $0.key), $0.value.confirmed) }
        // If it fails, nothing is confirmed, and the next comparison is of the same records.
        guard let findings = try? check.compare(Dictionary(uniqueKeysWithValues: marks), within: .seconds(5)) else {
            return .confirmed([:])
        }
        if let (partition, mark) = findings.replaced { return .replaced(partition.partition, mark) }
        let unanswered = Set(findings.unanswered.map(\.partition))
        return .confirmed(records.filter { !unanswered.contains($0.key) }.mapValues(\.last))
    }
}
