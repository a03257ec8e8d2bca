import FlowEvents
import FunnelConsumer
import Funnels

extension Verification {
    /// The result as text for people.
    var text: String {
        var lines = ["read \(recordCount) records, compared \(installCount) installs and \(resultCount) results"]
        if let firstDay {
            lines.append("compared from \(firstDay) on: the topic may have lost events of earlier days")
        }
        if uncheckedInstallCount > 0 {
            lines.append("left out of the comparison of missing events: \(uncheckedInstallCount) installs")
        }
        if isEqual { lines.append("no differences") }
        if let quality {
            let (stored, read) = (counts(of: quality.stored), counts(of: quality.read))
            let differences = zip(stored, read).filter { $0.count != $1.count }.map { stored, read in
                "\(stored.name) \(stored.count) in the store, \(read.count) in the topic"
            }
            lines.append("quality differs: \(differences.joined(separator: "; "))")
        }
        for (what, funnels) in [
            ("reports that differ", funnelsWithOtherReports),
            ("counts that differ in some range of days", funnelsWithOtherCounts),
        ] where !funnels.isEmpty {
            lines.append("\(what): \(funnels.map(TerminalText.visible).joined(separator: ", "))")
        }
        if differenceCount > 0 {
            lines.append("results that differ: \(differenceCount); the first \(differences.count):")
            lines += differences.flatMap(\.lines)
        }
        return lines.joined(separator: "\n") + "\n"
    }

    /// All counts, with the names that the report has for them.
    private func counts(of quality: Quality) -> [(name: String, count: Int64)] {
        let completeness = quality.completeness
        return [
            ("events", quality.events), ("duplicates", quality.duplicates), ("late", quality.late),
            ("dead_letters", quality.deadLetters), ("unread", quality.unread), ("capped", quality.capped),
            ("compacted", quality.compacted),
            ("expected", completeness.expected), ("missing", completeness.missing),
            ("unchecked_installs", completeness.unchecked),
        ] + DropCause.allCases.map { ("dropped \($0.rawValue)", completeness.dropped[$0]) }
    }
}

extension Verification.Difference {
    fileprivate var lines: [String] {
        guard let result = results.first ?? results.second else { return [] }
        var actor = ["\(funnel.name)", "install \(visible(results.install))"]
        if let text = result.actor {
            if case .by(let field) = funnel.count {
                actor.append("\(TerminalText.visible(field.path)) \(visible(text))")
            } else {
                actor.append("session \(visible(text))")
            }
        }
        if let value = result.value { actor.append("breakdown \(visible(value))") }
        actor.append(result.day.description)
        let common = Set(stored).intersection(read)
        let all = Set(stored).union(read).sorted { ($0.time, $0.sequence) < ($1.time, $1.sequence) }
        return ["", actor.joined(separator: ", ")]
            + ["  store: \(text(of: results.first))", "  topic: \(text(of: results.second))"]
            + all.map { event in
                var parts = ["  event: \(event.time) \(steps(of: event, funnel: result.funnel))"]
                parts.append("id \(visible(event.id)) from \(visible(event.source))")
                if let session = event.session { parts.append("session \(visible(session))") }
                if !common.contains(event) { parts.append("only in the \(stored.contains(event) ? "store" : "topic")") }
                return parts.joined(separator: ", ")
            }
    }

    private func text(of result: InstallResult?) -> String {
        guard let result else { return "no attempt" }
        let names = funnel.steps.indices.filter(result.outcome.meets).map {
            TerminalText.visible(funnel.steps[$0].name)
        }
        var parts = ["\(result.outcome.rank) of \(funnel.requiredStepCount) steps, up to \(names.last ?? "")"]
        if !result.times.isEmpty { parts.append("after " + result.times.map { "\($0) ms" }.joined(separator: ", ")) }
        switch result.outcome.ending {
        case .open: break
        case .excluded: parts.append("ended by an exclusion")
        case .complete(let entries): if entries > 0 { parts.append("\(entries) entries") }
        }
        for detail in result.details {
            switch (detail.subject, detail.text) {
            case (.sum, let unit?): parts.append("amount \(detail.amount) \(visible(unit))")
            case (.sum, nil): parts.append("no amount")
            case (.next, let place): parts.append("then \(visible(place ?? []))")
            case (.value, let value): parts.append("of the breakdown value \(visible(value ?? []))")
            }
        }
        return parts.joined(separator: ", ")
    }

    private func steps(of event: MatchedEvent, funnel index: Int) -> String {
        let steps = funnel.steps.indices.filter { event.steps[index] & (1 << UInt32($0)) != 0 }
            .map { TerminalText.visible(funnel.steps[$0].name) }
        let others = [(event.exclusions[index] != 0, "exclusion"), (event.isNext[index], "next")]
        return (steps + others.filter(\.0).map(\.1)).joined(separator: "/")
    }

    private func visible(_ bytes: [UInt8]) -> String {
        TerminalText.visible(String(decoding: bytes, as: UTF8.self))
    }
}
