import FlowEvents
import FunnelReports
import FunnelStore
import Funnels
import NIOCore

/// What a request asks of the store. Equal questions have equal answers, as long as the store does not change.
enum ReportQuestion: Sendable, Hashable {
    /// The page of all funnels.
    case overview
    /// The page of one funnel.
    case page(funnel: String, ReportQuery)
    /// The JSON of one funnel, or of all.
    case json(funnel: String?, ReportQuery)
    /// The gauges of all funnels, in Prometheus' text format.
    case gauges
    /// The steps of all funnels with their counts, as a piece of a page.
    case steps

    /// The type of the answer.
    var contentType: String {
        switch self {
        case .overview, .page, .steps: "text/html; charset=utf-8"
        case .json: "application/json"
        case .gauges: "text/plain; version=0.0.4; charset=utf-8"
        }
    }

    /// Answers the question. It blocks.
    ///
    /// - Throws: `StoreError`, `UnknownFunnels`, and `ReportRequestError`.
    func answer(from reader: any FunnelReading, now: Timestamp) throws -> ReportAnswer {
        try reader.withSnapshot { snapshot in
            let tag = try StoreTag(reader, snapshot, now: now)
            let text = try text(from: snapshot, reader.funnels, tag, now)
            return ReportAnswer(tag: tag, contentType: contentType, body: ByteBuffer(string: text))
        }
    }

    private func text(
        from snapshot: some SummarySource,
        _ funnels: [Funnel],
        _ tag: StoreTag,
        _ now: Timestamp
    ) throws -> String {
        let unread = try snapshot.unreadPartitions(now: now)
        let known = funnels.map(\.name)
        switch self {
        case .overview:
            var report = try FunnelReport.make(from: snapshot, funnels: funnels, LivePage.overviewRequest)
            report.unreadPartitions = unread
            return LivePage.overview(report, state: tag.text)
        case .page(let name, let query):
            _ = try FunnelSelection.select([name], from: known)
            var report = try LivePage.report(from: snapshot, funnels: funnels, name: name, query)
            report.unreadPartitions = unread
            return LivePage.funnel(report, query, state: tag.text)
        case .json(let name, let query):
            let names = try FunnelSelection.select(name.map { [$0] } ?? [], from: known)
            let request = query.request(names)
            var report = try FunnelReport.make(from: snapshot, funnels: funnels, request)
            report.unreadPartitions = unread
            return JSONReport.render(report)
        case .steps:
            return LivePage.steps(try FunnelReport.make(from: snapshot, funnels: funnels, ReportRequest())).html
        case .gauges:
            return try FunnelGauges.page(from: snapshot, funnels, unreadCount: unread.count)
        }
    }
}

/// The answer to a question, and the state of the store that it is of.
struct ReportAnswer: Sendable {
    let tag: StoreTag
    let contentType: String
    let body: ByteBuffer
}
