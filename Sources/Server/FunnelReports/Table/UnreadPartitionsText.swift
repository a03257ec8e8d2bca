import FlowEvents
import Funnels

/// What a report says first where it lacks the events of partitions that were not read.
package enum UnreadPartitionsText {
    private static let numberCount = 8

    /// Returns a sentence for people for the partitions that were never read, and one for those not read of late; none
    /// where there are no such partitions.
    package static func sentences(_ partitions: [UnreadPartition]) -> [String] {
        let stores = Set(partitions.map(\.store))
        guard stores.count == 1, let store = stores.first else {
            return stores.sorted { ($0 ?? "") < ($1 ?? "") }
                .flatMap { store in Self.sentences(partitions.filter { $0.store == store }) }
        }
        let name = store.map { "the store \($0)" } ?? "this store"
        let never = partitions.filter { $0.readAt == nil }
        let late = partitions.filter { $0.readAt != nil }
        var sentences: [String] = []
        if !never.isEmpty {
            let verb = never.count == 1 ? "has" : "have"
            sentences.append("A part of the topic only: \(list(never)) \(verb) never been read for \(name).")
        }
        if let time = late.compactMap(\.readAt).min() {
            let verb = late.count == 1 ? "was" : "were"
            sentences.append(
                "Newer events are missing: \(list(late)) \(verb) last read at \(HumanText.moment(time)). "
                    + "Does a consumer of \(name) run?"
            )
        }
        return sentences
    }

    private static func list(_ partitions: [UnreadPartition]) -> String {
        let numbers = partitions.prefix(numberCount).map { String($0.partition) }.joined(separator: ", ")
        let rest = partitions.count - numberCount
        let more = rest > 0 ? " and \(HumanText.count(rest)) more" : ""
        return "partition\(partitions.count == 1 ? "" : "s") \(numbers)\(more)"
    }
}
