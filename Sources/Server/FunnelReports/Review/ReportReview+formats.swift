import FlowEvents
import Funnels

extension ReportReview {
    /// Writes the review in a format. The text ends with a line feed.
    ///
    /// The JSON is `{"funnels":[{"name":…,"from":…,"to":…,"changed":true,"steps":[{"name":…,"before":…,"after":…,
    /// "difference":…}],"breakdown":[{"value":…,"steps":[…]}]}],"added":[…],"removed":[…],"events":{"before":…,"after":…}}`;
    /// `before` and `after` are `null` where the funnel has no such step. The CSV has the columns
    /// `funnel,breakdown,step,before,after,difference`.
    package func render(_ format: ReportFormat, style: TableStyle) -> String {
        switch format {
        case .table: table(style)
        case .json: json
        case .csv: csv
        case .html: html
        }
    }

    // MARK: Table

    private func table(_ style: TableStyle) -> String {
        let blocks = funnels.map { change in
            var lines = [
                style.apply(.title, to: TerminalText.visible(change.result.funnel.name)),
                style.apply(
                    .detail,
                    to: "\(FunnelWords.actors(change.result.funnel)), \(FunnelWords.range(change.result))"
                ),
                "",
            ]
            lines += Self.lines(change.steps, style)
            if let breakdown = change.result.funnel.breakdown {
                for value in change.values {
                    lines.append("")
                    lines += TextWrap.lines(FunnelWords.value(value.value, of: breakdown), style: style)
                    lines += Self.lines(value.steps, style)
                }
            }
            return lines
        }
        return (blocks + [notes.map { style.apply(.detail, to: $0) }])
            .map { $0.joined(separator: "\n") + "\n" }.joined(separator: "\n")
    }

    private static func lines(_ steps: [StepChange], _ style: TableStyle) -> [String] {
        var columns = TableColumns()
        columns.add(["step", "before", "after", "difference"])
        for step in steps {
            let name = TerminalText.visible(step.name)
            columns.add([TerminalText.width(name) > 32 ? TerminalText.fit(name, columns: 32) : name] + step.figures)
        }
        let lines = columns.lines()
        return [style.apply(.detail, to: lines[0])] + lines.dropFirst()
    }

    /// What else is to be said: the events of both counts, and the funnels that only one has.
    private var notes: [String] {
        var notes = [
            "before \(HumanText.count(events.before, "event")), after \(HumanText.count(events.after, "event"))"
        ]
        if !added.isEmpty {
            notes.append("new: \(added.map(TerminalText.visible).joined(separator: ", "))")
        }
        if !removed.isEmpty {
            notes.append("only in the store: \(removed.map(TerminalText.visible).joined(separator: ", "))")
        }
        notes.append(hasChanges ? "the figures change" : "no figure changes")
        return notes
    }

    // MARK: JSON and CSV

    private var json: String {
        let node = JSONNode.object([
            (
                "funnels",
                .array(
                    funnels.map { change in
                        .object(
                            [
                                ("name", .string(change.result.funnel.name)),
                                ("from", .optional(change.result.from?.description)),
                                ("to", .optional(change.result.to?.description)),
                                ("changed", .literal("\(change.hasChanges)")),
                                ("steps", Self.json(change.steps)),
                            ]
                                + (change.result.breakdown == nil
                                    ? []
                                    : [
                                        (
                                            "breakdown",
                                            .array(
                                                change.values.map { value in
                                                    .object([
                                                        ("value", .value(value.value)),
                                                        ("steps", Self.json(value.steps)),
                                                    ])
                                                }
                                            )
                                        )
                                    ])
                        )
                    }
                )
            ),
            ("added", .array(added.map(JSONNode.string))), ("removed", .array(removed.map(JSONNode.string))),
            ("events", .object([("before", .integer(events.before)), ("after", .integer(events.after))])),
        ])
        var output = ""
        node.write(to: &output)
        return output + "\n"
    }

    private static func json(_ steps: [StepChange]) -> JSONNode {
        .array(
            steps.map { step in
                .object([
                    ("name", .string(step.name)), ("before", .integer(step.before)), ("after", .integer(step.after)),
                    ("difference", .integer(step.difference)),
                ])
            }
        )
    }

    private var csv: String {
        var output = "funnel,breakdown,step,before,after,difference\n"
        for change in funnels {
            let parts = [(nil, change.steps)] + change.values.map { (Optional($0.value), $0.steps) }
            for (value, steps) in parts {
                let breakdown = value.map { $0.description.isEmpty ? "\"\"" : CSVReport.text($0.description) } ?? ""
                for step in steps {
                    let figures = [step.before, step.after, step.difference].map { $0.map(String.init) ?? "" }
                    let cells =
                        [CSVReport.text(change.result.funnel.name), breakdown, CSVReport.text(step.name)] + figures
                    output += cells.joined(separator: ",") + "\n"
                }
            }
        }
        return output
    }

    // MARK: HTML

    private var html: String {
        let sections = funnels.map { change -> Markup in
            let name = change.result.funnel.name
            let verdict: Markup =
                change.hasChanges ? "<li class=\"warn\">changes</li>" : "<li class=\"ok\">✓ no change</li>"
            let values = change.values.map { value -> Markup in
                let title = change.result.funnel.breakdown.map { FunnelWords.value(value.value, of: $0) } ?? ""
                return
                    "<tr class=\"group\"><th scope=\"rowgroup\" colspan=\"4\">\(title)</th></tr>\(Self.rows(value.steps))"
            }
            return """
                <section id="\(name)" aria-labelledby="\(name)-h"><h2 id="\(name)-h">\(name)</h2><ul class="meta">\
                <li>\(FunnelWords.actors(change.result.funnel))</li><li>\(FunnelWords.range(change.result))</li>\(verdict)</ul>\
                <div class="scroll" tabindex="0" role="region" aria-label="Steps of \(name)"><table><thead><tr>\
                <th scope="col">step</th><th scope="col">before</th><th scope="col">after</th>\
                <th scope="col">difference</th></tr></thead><tbody>\(Self.rows(change.steps))\(values)</tbody></table></div>\
                </section>

                """
        }
        let lines = notes.map { "<p class=\"note\">\($0)</p>" as Markup }
        return PageDocument(
            title: "Funnels before and after",
            policy: "default-src 'none'; style-src 'unsafe-inline'",
            header: "<p>before and after</p>",
            main: "\(sections)<section aria-labelledby=\"the-data\"><h2 id=\"the-data\">The data</h2>\(lines)</section>"
        ).html
    }

    private static func rows(_ steps: [StepChange]) -> Markup {
        let rows = steps.map { step -> Markup in
            let cells = step.figures.map { "<td>\($0)</td>" as Markup }
            return "<tr><th scope=\"row\">\(step.name)</th>\(cells)</tr>"
        }
        return "\(rows)"
    }
}

extension ReportReview.StepChange {
    /// The figures for people.
    fileprivate var figures: [String] {
        let difference = difference.map { ($0 > 0 ? "+" : "") + HumanText.count($0) }
        return [before.map { HumanText.count($0) } ?? "–", after.map { HumanText.count($0) } ?? "–", difference ?? "–"]
    }
}
