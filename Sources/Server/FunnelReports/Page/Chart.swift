import FlowEvents
import Funnels

/// Positions and shapes that charts share. Charts are as wide as their column: positions across are percentages of the
/// width, so that texts and lines keep their sizes on every screen.
enum Chart {
    /// A share of the width: `12.34%`.
    static func percent(_ share: Double) -> String {
        number(share * 100) + "%"
    }

    /// A number with at most two decimals: `12.34`, `7`.
    static func number(_ value: Double) -> String {
        let hundredths = Int((value * 100).rounded())
        let (whole, rest) = hundredths.magnitude.quotientAndRemainder(dividingBy: 100)
        let sign = hundredths < 0 ? "-" : ""
        guard rest != 0 else { return "\(sign)\(whole)" }
        return "\(sign)\(whole).\(rest < 10 ? "0" : "")\(rest % 10 == 0 ? rest / 10 : rest)"
    }

    /// Where a text is anchored, so that it stays within the chart.
    static func anchor(_ share: Double) -> String {
        share < 0.2 ? "start" : share > 0.8 ? "end" : "middle"
    }

    /// A title and a description, which screen readers read, for the chart with an id.
    static func words(_ id: String, title: String, description: String) -> Markup {
        "<title id=\"\(id)-t\">\(title)</title><desc id=\"\(id)-d\">\(description)</desc>"
    }

    /// Figures of a chart as a table that can be opened. Screen readers read its name with the funnel's, because a page
    /// may have several funnels.
    static func table(_ summary: String, of funnel: Funnel, _ head: [String], _ rows: [Markup]) -> Markup {
        let cells = head.map { "<th scope=\"col\">\($0)</th>" as Markup }
        return """
            <details><summary>\(summary)</summary><div class="scroll" tabindex="0" role="region" \
            aria-label="\(summary) of \(funnel.name)"><table><thead><tr>\(cells)</tr></thead><tbody>\(rows)</tbody></table></div></details>
            """
    }

    /// A row of a table, the first cell as its header.
    static func row(_ header: Markup, _ cells: [Markup]) -> Markup {
        "<tr><th scope=\"row\">\(header)</th>\(cells.map { "<td>\($0)</td>" as Markup })</tr>"
    }
}

/// A scale from 0 to a round number.
struct ChartScale {
    /// The greatest value.
    let top: Double
    /// The values with a line.
    let ticks: [Double]

    /// Creates a scale that reaches a value, with at most five steps of equal size.
    init(reaching value: Double) {
        var power = 1.0
        let value = max(value, 1e-9)
        while power * 10 <= value { power *= 10 }
        while power > value { power /= 10 }
        let step = [0.2, 0.25, 0.5, 1, 2, 2.5, 5].map { $0 * power }.first { value / $0 <= 5.0001 } ?? power * 5
        let count = Int((value / step - 0.0001).rounded(.up))
        top = step * Double(max(1, count))
        ticks = (0...max(1, count)).map { step * Double($0) }
    }

    /// A value's distance from the top, as a share of the height.
    func depth(_ value: Double) -> Double { 1 - min(1, max(0, value / top)) }
}

extension HumanText {
    private static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]

    /// A day as `16 Nov 2026`, or without the year as `16 Nov`.
    static func date(_ day: Day, hasYear: Bool = true) -> String {
        let date = CivilDate(daysSince1970: Int(day.number))
        return "\(date.day) \(months[date.month - 1])" + (hasYear ? " \(date.year)" : "")
    }

    /// Days as `16 Nov 2026` or `16 Nov to 22 Nov 2026`.
    static func dates(_ from: Day, _ to: Day) -> String {
        guard from != to else { return date(from) }
        let years = [from, to].map { CivilDate(daysSince1970: Int($0.number)).year }
        return "\(date(from, hasYear: years[0] != years[1])) to \(date(to))"
    }
}
