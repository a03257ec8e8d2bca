import FlowEvents
import Funnels

/// An optional step: a way beside the funnel that some take.
enum SideWay {
    static func markup(_ step: StepResult, first: Int) -> Markup {
        let share = first == 0 ? 0 : Double(step.count) / Double(first)
        let width = step.count == 0 ? "0" : Chart.percent(max(share, 0.003))
        let percentage = HumanText.percentage(step.count, of: first) ?? "–"
        let words: Markup = step.nextStep.map { "<span class=\"note\">\(FunnelWords.sideWay($0))</span>" } ?? ""
        return """
            <li class="step side"><span class="name"><i aria-hidden="true">↳</i>\(Markup.foreign(step.name)) \
            <small>optional</small></span><svg class="bar" width="100%" height="16" role="img" \
            aria-label="\(TerminalText.visible(step.name)), optional: \(HumanText.count(step.count)), \(percentage) of the \
            first step"><rect class="ring" width="\(width)" height="100%" rx="2"/></svg>\
            <span class="count">\(HumanText.count(step.count))</span><span class="share">\(percentage)</span>\(words)</li>
            """
    }
}
