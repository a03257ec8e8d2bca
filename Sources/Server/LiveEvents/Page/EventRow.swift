internal import FlowEvents
import Foundation
internal import FunnelReports
internal import Funnels

/// One event as a row of the page: what it says in one line, what is wrong with it, and its JSON when it is opened.
struct EventRow {
    private let event: LiveEvent

    init(_ event: LiveEvent) {
        self.event = event
    }

    var markup: Markup {
        """
        <li class="event\(event.findings.isEmpty ? "" : " wrong" as Markup)"><details><summary>\(time)\
        <span class="what">\(what)</span>\(steps)</summary>\(facts)\
        \(event.json.isEmpty ? "" : "<pre>\(Markup.text(of: event))</pre>" as Markup)</details>\(install)\(wrong)</li>
        """
    }

    private var time: Markup {
        let shown = event.time ?? event.arrival
        // Without the day, which is today's for what an app sends as it is built.
        let clock = String(shown.description.dropFirst("2026-11-28T".count).dropLast())
        return "<time datetime=\"\(shown.description)\">\(clock)</time> <span class=\"delay\">\(delay)</span> "
    }

    private var delay: String {
        guard let time = event.time else { return "" }
        let milliseconds = event.arrival.milliseconds - time.milliseconds
        return "\(milliseconds < 0 ? "−" : "+")\(DurationText.about(abs(milliseconds)))"
    }

    private var what: Markup {
        var text: Markup = "<b>\(Markup.foreign(event.type ?? "no event"))</b>"
        if let screen = event.screen { text += " \(Markup.foreign(screen))" }
        if let previous = event.previousScreen { text += " <span class=\"from\">← \(Markup.foreign(previous))</span>" }
        if let transition = event.transition { text += " <i>\(Markup.foreign(transition))</i>" }
        if let source = event.paywallSource { text += " <span class=\"tag\">from \(Markup.foreign(source))</span>" }
        return text
    }

    private var steps: Markup {
        let steps = event.steps.map { found -> Markup in
            " <span class=\"step-met\">\(found.funnel): \(Markup.foreign(found.step))</span>"
        }
        return steps.isEmpty ? "" : "<span class=\"steps-met\">\(steps)</span>"
    }

    private var facts: Markup {
        var facts: [Markup] = []
        if let sequence = event.sequence { facts.append("<li>sequence \(Int(sequence))</li>") }
        if let id = event.presentationID { facts.append("<li>presentation \(Markup.foreign(id))</li>") }
        if event.size > event.json.count {
            facts.append("<li>\(event.size) bytes, of which the first \(event.json.count) are shown</li>")
        }
        return facts.isEmpty ? "" : "<ul class=\"meta\">\(facts)</ul>"
    }

    /// What is wrong, beside the summary, so that it is read without opening the row.
    private var wrong: Markup {
        let findings = event.findings.map { finding -> Markup in
            "<p class=\"finding\"><b>\(finding.kind.rawValue)</b> \(Markup.foreign(finding.detail))</p>"
        }
        return "\(findings)"
    }

    private var install: Markup {
        guard let install = event.installID else { return "" }
        return
            "<a class=\"install\" href=\"?install=\(Self.query(install))\" title=\"\(install)\">\(Self.short(install))</a>"
    }

    /// The end of an id: the beginning of a UUIDv7 is the same for all that are made in a minute.
    private static func short(_ id: String) -> String {
        id.count > 8 ? "…\(TerminalText.visible(String(id.suffix(8))))" : TerminalText.visible(id)
    }

    /// A text as the value of a query's parameter.
    private static func query(_ text: String) -> String {
        // Only a text with half of a surrogate pair has no encoding, and no event's text has that.
        text.addingPercentEncoding(withAllowedCharacters: queryCharacters) ?? ""
    }

    // The unreserved characters of RFC 3986. Of the letters, Foundation leaves only those of ASCII as they are.
    private static let queryCharacters = CharacterSet.alphanumerics.union(CharacterSet(charactersIn: "-._~"))
}

extension Markup {
    /// The lines of an event's JSON. Characters that hide text or turn the writing direction are shown by their numbers.
    fileprivate static func text(of event: LiveEvent) -> Markup {
        let lines = JSONIndentation.lines(event.json).split(separator: "\n", omittingEmptySubsequences: false)
        return "<bdi>\(lines.map { TerminalText.visible(String($0)) }.joined(separator: "\n"))</bdi>"
    }
}
