/// The state of ``EventSink/fanOut(_:)``: which sinks have settled an event that another sink will receive again.
final class FanOut: Sendable {
    /// The outcome of an event at each sink; `nil` if the sink has not settled it.
    private typealias Outcomes = [EventOutcome?]

    private static let memoryLimit = 10_000
    private let sinks: [EventSink]
    private let settled = Locked<[EncodedEvent: Outcomes]>([:])

    init(sinks: [EventSink]) {
        self.sinks = sinks
    }

    func submit(_ batch: [EncodedEvent]) async -> EventReceipt {
        let known = settled.withLock { memory in
            batch.map { memory.isEmpty ? nil : memory.removeValue(forKey: $0) }
        }
        var parts: [(sink: Int, positions: [Int], receipt: EventReceipt)] = []
        for (index, sink) in sinks.enumerated() {
            let positions = batch.indices.filter { known[$0]?[index] == nil }
            guard !positions.isEmpty else { continue }
            parts.append((index, positions, await sink.submit(positions.map { batch[$0] })))
        }
        return EventReceipt { [parts] in
            var outcomes = known.map { $0 ?? Outcomes(repeating: nil, count: self.sinks.count) }
            for part in parts {
                let answers = await part.receipt.outcomes()
                for (position, answer) in zip(part.positions, answers) { outcomes[position][part.sink] = answer }
                for position in part.positions.dropFirst(answers.count) {
                    outcomes[position][part.sink] = .rejected(.noOutcome)
                }
            }
            self.remember(outcomes, of: batch)
            return outcomes.map(Self.combined)
        }
    }

    private func remember(_ outcomes: [Outcomes], of batch: [EncodedEvent]) {
        for (event, all) in zip(batch, outcomes) where all.contains(where: { $0?.keepsEvent == true }) {
            settled.withLock { memory in
                if memory.count >= Self.memoryLimit { memory.removeAll() }
                memory[event] = all.map { $0?.keepsEvent == true ? nil : $0 }
            }
        }
    }

    private static func combined(_ outcomes: Outcomes) -> EventOutcome {
        var combined = EventOutcome.delivered
        for case let outcome? in outcomes {
            switch (combined, outcome) {
            case (.retry(let failure, let first), .retry(_, let second)):
                combined = .retry(failure, after: [first, second].compactMap { $0 }.max())
            case (.pause, _): break
            case (_, .pause), (_, .retry), (.delivered, .rejected): combined = outcome
            default: break
            }
        }
        return combined
    }
}
