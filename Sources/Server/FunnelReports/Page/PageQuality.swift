import FlowEvents
import Funnels

/// The quality of the data, which is that of the whole store.
enum PageQuality {
    static func section(_ quality: Quality) -> Markup {
        var figures = [
            ("events read", HumanText.count(quality.events)), ("repeats ignored", HumanText.count(quality.duplicates)),
            ("late events left out", HumanText.count(quality.late)),
            ("dead letters", HumanText.count(quality.deadLetters)),
            ("records not read", HumanText.count(quality.unread)),
        ]
        if quality.compacted > 0 { figures.append(("offsets without a record", HumanText.count(quality.compacted))) }
        if quality.capped > 0 { figures.append(("installs left out", HumanText.count(quality.capped))) }
        if quality.erasedInstalls > 0 { figures.append(("installs erased", HumanText.count(quality.erasedInstalls))) }
        let list = figures.map { "<div><dt>\($0.0)</dt><dd>\($0.1)</dd></div>" as Markup }
        let lines = CompletenessText.lines(quality).map { "<p class=\"note\">\($0)</p>" as Markup }
        return """
            <section aria-labelledby="the-data"><h2 id="the-data">The data</h2><p class="description">All events that the \
            store has taken in, whatever funnels and days are shown</p><dl>\(list)</dl>\(lines)</section>
            """
    }

    /// What a page says before its figures where the store lacks the events of partitions that were not read.
    static func unread(_ partitions: [UnreadPartition]) -> Markup {
        let sentences = UnreadPartitionsText.sentences(partitions)
        let lines = sentences.map { "<p class=\"say\" role=\"alert\"><strong>!</strong> \($0)</p>\n" as Markup }
        return "\(lines)"
    }

    /// What is missing, as items of a list.
    static func missing(_ quality: Quality) -> Markup {
        guard quality.compacted > 0 else { return missingEvents(quality) }
        let compacted = HumanText.count(quality.compacted, "offset")
        let item = "<li class=\"warn\">\(compacted) without a record</li>" as Markup
        // Such an offset may be of an event without a number.
        let isLossKnown = quality.completeness.missing > 0 || quality.unread > 0
        return isLossKnown ? "\(item)\(missingEvents(quality))" : item
    }

    private static func missingEvents(_ quality: Quality) -> Markup {
        let completeness = quality.completeness
        if completeness.expected == 0 { return "<li>what is missing is not known</li>" }
        guard completeness.missing > 0 || quality.unread > 0 else { return "<li class=\"ok\">✓ no event missing</li>" }
        guard completeness.missing > 0 else {
            return "<li class=\"warn\">\(HumanText.count(quality.unread, "record")) not read</li>"
        }
        let missing = HumanText.count(Int64(completeness.missing), "event")
        let percentage = HumanText.percentage(Int(completeness.missing), of: Int(completeness.expected)) ?? ""
        let share = percentage == "0.0%" ? "less than 0.1%" : percentage
        return "<li class=\"warn\">\(missing) missing (\(share))</li>"
    }
}
