import FlowEvents
import Funnels

/// The part of a page about one funnel.
struct PageSection {
    private let result: FunnelResult
    private let quality: Quality

    init(_ result: FunnelResult, quality: Quality) {
        self.result = result
        self.quality = quality
    }

    private var funnel: Funnel { result.funnel }

    var markup: Markup {
        let description =
            funnel.description.map { "<p class=\"description\">\(Markup.foreign($0))</p>" as Markup } ?? ""
        return """
            <section id="\(funnel.name)" aria-labelledby="\(funnel.name)-h">
            <h2 id="\(funnel.name)-h">\(funnel.name)</h2>\(description)
            \(sentence)
            \(meta)
            \(result.hasNoDays ? "" : figures)
            \(definition)
            </section>

            """
    }

    private var figures: Markup {
        let charts = [TrendFigure.markup(result), TimesFigure.markup(result)].filter { !$0.html.isEmpty }
        let pair: Markup = charts.isEmpty ? "" : "<div class=\"two\">\(charts)</div>"
        return """
            \(StepsFigure.markup(result))
            \(pair)
            \(ExperimentFigure.markup(result))
            \(BreakdownFigure.markup(result))
            \(SumsFigure.markup(result))
            """
    }

    /// What is counted, in one sentence.
    private var sentence: Markup {
        // A count of 0 would say that nobody came.
        guard !result.hasNoDays else {
            return "<p class=\"say\">No day to report: none that was asked for has entries and is settled.</p>"
        }
        let (first, last) = (result.steps[0], result.steps[result.steps.count - 1])
        let actors = FunnelWords.actors(funnel)
        let name = Markup.foreign(first.name)
        guard result.steps.count > 1 else {
            return
                "<p class=\"say\"><strong>\(HumanText.count(first.count))</strong> \(actors) reached <b>\(name)</b>.</p>"
        }
        guard let share = HumanText.percentage(last.count, of: first.count) else {
            return "<p class=\"say\">No \(actors) reached <b>\(name)</b> on these days.</p>"
        }
        return """
            <p class="say">Of <b>\(HumanText.count(first.count))</b> \(actors) that reached <b>\(name)</b>, \
            <strong>\(share)</strong> reached <b>\(Markup.foreign(last.name))</b> within \(FunnelWords.window(funnel)).</p>
            """
    }

    /// The days, which of them can still change, what is missing, and the change since the days before.
    private var meta: Markup {
        var items: [Markup] = ["<li>\(days)</li>"]
        let states = result.states
        if states != DayStates() {
            items.append(
                "<li>\(states.settledTo.map { "settled to \(HumanText.date($0))" } ?? "no day is settled")</li>"
            )
            items.append("<li>\(states.finalTo.map { "final to \(HumanText.date($0))" } ?? "no day is final yet")</li>")
        }
        if let day = result.completeFrom {
            items.append("<li class=\"warn\">complete from \(HumanText.date(day)) on</li>")
        }
        if let day = result.firstKnownFrom {
            items.append("<li class=\"warn\">first entries known from \(HumanText.date(day)) on</li>")
        }
        items.append(PageQuality.missing(quality))
        return "<ul class=\"meta\">\(items)</ul>\(change)"
    }

    private var days: String {
        let zone = result.timeZone ?? "UTC"
        if result.hasNoDays { return "no days" }
        return switch (result.from, result.to) {
        case (nil, nil): "all days"
        case (let from?, nil): "entered from \(HumanText.date(from)) on, \(zone)"
        case (nil, let to?): "entered up to \(HumanText.date(to)), \(zone)"
        case (let from?, let to?): "entered \(HumanText.dates(from, to)), \(zone)"
        }
    }

    private var change: Markup {
        guard let comparison = result.comparison, let step = comparison.steps.last, let difference = step.difference
        else { return "" }
        let interval = step.differenceInterval.map {
            " (95% interval \(HumanText.points($0.low)) to \(HumanText.points($0.high)))"
        }
        let note = FunnelWords.openComparisonNote(result).map { "; \($0)" } ?? ""
        return """
            <p class="change">Compared with \(HumanText.dates(comparison.from, comparison.to)): \
            <b>\(HumanText.points(difference)) percentage points</b>\(interval ?? ""), \
            \(FunnelWords.verdict(step.differenceInterval))\(note).</p>
            """
    }

    private var definition: Markup {
        let actors = FunnelWords.actors(funnel)
        // The explanation has lines for a terminal.
        let words = funnel.explanation.split { $0.isNewline || $0 == " " }.joined(separator: " ")
        return """
            <details><summary>What exactly is counted</summary>
            <p>\(Markup.foreign(words))</p>
            <p>Each of the \(actors) counts once, with the deepest of its attempts that began on these days.</p>
            <p><code>\(Markup.foreign(funnel.summary))</code></p>
            <p>Intervals are Wilson's score intervals, 95%. Below 30 \(actors) there are too few to say. Sessions of one \
            install depend on each other, and for them the intervals are too narrow.</p></details>
            """
    }
}
