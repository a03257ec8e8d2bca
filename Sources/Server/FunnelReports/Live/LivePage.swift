import Funnels

/// The pages of a server: those of ``PageReport`` with links, and with a form for the days, the buckets and the
/// comparison.
///
/// All links are relative, so that a proxy may serve the pages below a path of its own. The form works without script.
package enum LivePage {
    /// What the pages may load, for the header `Content-Security-Policy`.
    package static let policy =
        "default-src 'none'; script-src 'self'; connect-src 'self'; style-src 'unsafe-inline'; form-action 'self'; "
        + "base-uri 'none'; frame-ancestors 'none'"

    /// Makes a report with all that ``funnel(_:_:state:)`` shows.
    ///
    /// - Throws: as ``FunnelReport/make(from:funnels:_:)``.
    package static func report(
        from source: some SummarySource,
        funnels: [Funnel],
        name: String,
        _ query: ReportQuery
    ) throws -> FunnelReport {
        try PageReport.report(from: source, funnels: funnels, query.request([name]))
    }

    /// Writes the page of one funnel.
    ///
    /// - Parameters:
    ///   - report: a report of one funnel.
    ///   - query: the query that was asked for.
    ///   - state: the entity tag of the page. The script asks the server whether it has changed.
    package static func funnel(_ report: FunnelReport, _ query: ReportQuery, state: String) -> String {
        let sections = report.funnels.map { PageSection($0, quality: report.quality).markup }
        let name = report.funnels.first?.funnel.name ?? ""
        let suffix = query.text.isEmpty ? "" : "?\(query.text)"
        let links: Markup = """
            <nav aria-label="Pages">\(overviewLink)<a href="../api/v1/funnels/\(name)\(suffix)">JSON</a></nav>
            """
        return PageDocument(
            title: "\(name) · funnel",
            head: head(state, script: "../refresh.js"),
            header: "\(links)\(ReportForm.markup(query))",
            main: "\(PageQuality.unread(report.unreadPartitions))\(sections)\n\(PageQuality.section(report.quality))"
        ).html
    }

    /// Writes the page for a funnel's query that cannot be answered: the reason, and the form to correct it.
    ///
    /// - Parameters:
    ///   - problem: the reason, as a sentence for people.
    ///   - query: what the form shows.
    package static func refusal(_ problem: String, _ query: ReportQuery) -> String {
        PageDocument(
            title: "Funnels",
            head: style,
            header: "<nav aria-label=\"Pages\">\(overviewLink)</nav>\(ReportForm.markup(query))",
            main: "<p class=\"say\">\(Markup.foreign(problem))</p>"
        ).html
    }

    private static let overviewLink: Markup = "<a href=\"../\">All funnels</a>"

    /// The request for the report of ``overview(_:state:)``: the last two weeks and the two before.
    package static let overviewRequest = {
        var query = ReportRequest(trend: .day, isCompared: true)
        if let days = LastDays(14, .days) { query.days = .last(days) }
        return query
    }()

    /// Writes the page of all funnels.
    ///
    /// - Parameters:
    ///   - report: the report of ``overviewRequest``.
    ///   - state: the entity tag of the page.
    package static func overview(_ report: FunnelReport, state: String) -> String {
        let cards = report.funnels.map { OverviewCard($0).markup }
        let empty: Markup = cards.isEmpty ? "<p class=\"say\">The store has no funnels yet.</p>" : ""
        return PageDocument(
            title: "Funnels",
            head: head(state, script: "refresh.js"),
            header: "<nav aria-label=\"Pages\"><a href=\"api/v1/funnels\">JSON</a></nav>",
            main: """
                \(PageQuality.unread(report.unreadPartitions))\(empty)<ul class="cards">\(cards)</ul>
                \(PageQuality.section(report.quality))
                """
        ).html
    }

    /// Writes the steps of all funnels with their counts, as a piece of a page that stands beside the funnels' pages.
    package static func steps(_ report: FunnelReport) -> Markup {
        let funnels = report.funnels.map { result -> Markup in
            let steps = result.steps.map { step -> Markup in
                "<li><span>\(Markup.foreign(step.name))</span> <b>\(HumanText.count(step.count))</b></li>"
            }
            let name = result.funnel.name
            return "<section><h3><a href=\"funnels/\(name)\">\(name)</a></h3><ol>\(steps)</ol></section>"
        }
        return "\(funnels)"
    }

    private static func head(_ state: String, script: String) -> Markup {
        "\(style)<meta name=\"report-state\" content=\"\(state)\"><script src=\"\(script)\" defer></script>"
    }

    /// The styles of a server's pages that `PageDocument` does not have.
    package static let style: Markup = """
        <style>
        \(LiveStyle.css)
        </style>
        """
}
