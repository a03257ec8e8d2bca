import FlowEvents
import Funnels

/// Counts missing events by brute force: it keeps all sequence numbers of each install in a set.
package struct CompletenessOracle {
    private struct Install {
        var numbers: Set<Int64> = []
        var drops: [DropCause: Int64] = [:]
    }

    private var installs: [String: Install] = [:]

    package init() {}

    /// Adds a valid event, including late and repeated events and events that match no step.
    package mutating func add(_ event: Event) {
        guard let number = event.sequence else { return }
        let isNew = installs[event.installID, default: Install()].numbers.insert(number).inserted
        guard isNew, event.type == "events_dropped", case .string(let reason) = event.properties["reason"],
            let count = event.properties["count"]?.exactNumber
        else { return }
        let cause: DropCause? =
            switch reason {
            case "queue_full": .queueFull
            case "expired": .expired
            case "not_stored": .notStored
            case "invalid_field", "missing_field", "damaged": nil
            case let code where code.hasPrefix("rejected_"): .rejected
            default: .other
            }
        if let cause { installs[event.installID]?.drops[cause, default: 0] += Int64(count.double) }
    }

    package var sum: Completeness {
        var sum = Completeness()
        for install in installs.values {
            guard let low = install.numbers.min(), let high = install.numbers.max() else { continue }
            let ordered = install.numbers.sorted()
            let gap = zip(ordered, ordered.dropFirst()).map { $1 - $0 - 1 }.max() ?? 0
            guard high - low <= 4_294_967_296, gap <= 1_000_000 else {
                sum.unchecked += 1
                continue
            }
            sum.expected += high - low + 1
            var missing = high - low + 1 - Int64(install.numbers.count)
            sum.missing += missing
            for cause in DropCause.allCases {
                let explained = min(missing, install.drops[cause] ?? 0)
                sum.dropped[cause] += explained
                missing -= explained
            }
        }
        return sum
    }
}
