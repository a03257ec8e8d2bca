import Funnels

/// The form of a funnel's page.
enum ReportForm {
    static func markup(_ query: ReportQuery) -> Markup {
        let spans = ["7d", "14d", "4w", "3m", "12m"]
        let last = query.last?.description ?? ""
        let shown = last.isEmpty || spans.contains(last) ? spans : [last] + spans
        let lengths = [option("", "–", last)] + shown.map { option($0, caption($0), last) }
        let by = query.interval?.rawValue ?? ""
        let intervals =
            [option("", "as fits", by)] + TrendInterval.allCases.map { option($0.rawValue, $0.rawValue, by) }
        return """
            <form method="get" action="" aria-label="What to show">\
            <label>Last <select name="last">\(lengths)</select></label>\
            <label>or from <input type="date" name="from" value="\(query.from?.description ?? "")"></label>\
            <label>to <input type="date" name="to" value="\(query.to?.description ?? "")"></label>\
            <label>by <select name="by">\(intervals)</select></label>\
            \(box("compare", "compare with the days before", query.isCompared))\
            \(box("settled", "settled days only", query.isSettledOnly))\
            <button>Show</button></form>
            """
    }

    private static func option(_ value: String, _ caption: String, _ selected: String) -> Markup {
        value == selected
            ? "<option value=\"\(value)\" selected>\(caption)</option>"
            : "<option value=\"\(value)\">\(caption)</option>"
    }

    private static func box(_ name: String, _ caption: String, _ isChecked: Bool) -> Markup {
        isChecked
            ? "<label><input type=\"checkbox\" name=\"\(name)\" value=\"1\" checked> \(caption)</label>"
            : "<label><input type=\"checkbox\" name=\"\(name)\" value=\"1\"> \(caption)</label>"
    }

    /// `7 days`, `4 weeks`, `1 month`.
    private static func caption(_ text: String) -> String {
        guard let days = LastDays(text) else { return text }
        let unit =
            switch days.unit {
            case .days: "day"
            case .weeks: "week"
            case .months: "month"
            }
        return HumanText.count(Int64(days.count), unit)
    }
}
