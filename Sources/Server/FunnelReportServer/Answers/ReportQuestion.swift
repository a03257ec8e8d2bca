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

    /// The type of the answer.
    var contentType: String {
        switch self {
        case .overview, .page: "text/html; charset=utf-8"
        case .json: "application/json"
        case .gauges: "text/plain; version=0.0.4; charset=utf-8"
        }
    }

    /// Answers the question. It blocks.
    ///
    /// - Throws: `StoreError`, `UnknownFunnels`, and `ReportRequestError`.
    func answer(from reader: any FunnelReading) throws -> ReportAnswer {
        try reader.withSnapshot { snapshot in
            let tag = try StoreTag(reader, snapshot)
            let text = try text(from: snapshot, reader.funnels, tag)
            return ReportAnswer(tag: tag, contentType: contentType, body: ByteBuffer(string: text))
        }
    }

    private func text(from snapshot: some SummarySource, _ funnels: [Funnel], _ tag: StoreTag) throws -> String {
        let known = funnels.map(\.name)
        switch self {
        case .overview:
            let report = try FunnelReport.make(from: snapshot, funnels: funnels, LivePage.overviewRequest)
            return LivePage.overview(report, state: tag.text)
        case .page(let name, let query):
            _ = try FunnelSelection.select([name], from: known)
            let report = try LivePage.report(from: snapshot, funnels: funnels, name: name, query)
            return LivePage.funnel(report, query, state: tag.text)
        case .json(let name, let query):
            let names = try FunnelSelection.select(name.map { [$0] } ?? [], from: known)
            let request = query.request(names)
            return JSONReport.render(try FunnelReport.make(from: snapshot, funnels: funnels, request))
        case .gauges:
            return try FunnelGauges.page(from: snapshot, funnels)
        }
    }
}

/// The answer to a question, and the state of the store that it is of.
struct ReportAnswer: Sendable {
    let tag: StoreTag
    let contentType: String
    let body: ByteBuffer
}
