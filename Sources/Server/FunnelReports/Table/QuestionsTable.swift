import FlowEvents
import Funnels

/// The lines of optional steps, and of where people went, for the funnels that have them.
enum QuestionsTable {
    static func lines(of steps: [StepResult], _ funnel: Funnel, style: TableStyle) -> [String] {
        var lines: [String] = []
        for step in steps {
            let name = TerminalText.visible(step.name)
            if let result = step.nextStep { lines.append("~ \(name): \(FunnelWords.sideWay(result))") }
            guard let next = step.next, !next.places.isEmpty else { continue }
            let (shown, rest) = FunnelWords.places(next)
            let places = shown.map { "\(FunnelWords.value($0.value)) \(HumanText.count($0.count))" }
            let total = next.places.reduce(0) { $0 + $1.count }
            let more = rest.map { ", … and \($0)" } ?? ""
            let who = "the \(HumanText.count(total)) that came no further than \(name)"
            let list = places.joined(separator: ", ") + more
            lines.append(next.leftOutCount == 0 ? "\(who) went to: \(list)" : "after \(name) they went to: \(list)")
        }
        return lines.flatMap { TextWrap.lines($0, style: style) }
    }
}
