import FunnelReportServer
import Hummingbird
import LiveEvents
import NIOCore
import ServiceLifecycle

/// One open page of live events: what it has, and what comes next, as
/// [server-sent events](https://html.spec.whatwg.org/multipage/server-sent-events.html).
///
/// It looks for news ten times a second, and less often when there is much of it. So no number of events can make it send
/// more than a page can show.
struct EventStream: Sendable {
    private static let pace = Duration.milliseconds(100)
    private static let slowPace = Duration.milliseconds(500)
    /// How often a connection without news gets a comment, so that one that is gone is noticed.
    private static let heartbeat = Duration.seconds(15)
    /// The number of rows that a page gets at once.
    private static let rowLimit = 100

    let feed: LiveFeed
    let reports: FunnelReportServer
    let filter: LiveFilter
    /// The number of the newest event that the page has.
    var last: Int

    /// Writes until the page is closed, or the server shuts down.
    func write(to writer: inout any ResponseBodyWriter) async throws {
        let clock = ContinuousClock()
        var last = last
        var totals: LiveFeed.Totals?
        var steps: String?
        var (lastSteps, lastWrite) = (clock.now - Self.heartbeat, clock.now)
        while !Task.isShuttingDownGracefully {
            var text = ""
            let news = feed.events(after: last, filter, limit: Self.rowLimit)
            if news.last != last || totals == nil {
                last = news.last
                if !news.events.isEmpty {
                    text += Self.message("rows", EventsPage.rows(news.events), id: last)
                }
                text += Self.message("state", EventsPage.state(feed.totals, skippedCount: news.skippedCount))
                totals = feed.totals
            }
            if clock.now - lastSteps >= Self.slowPace {
                lastSteps = clock.now
                // A store that cannot be read now is asked again.
                if let new = try? await reports.steps(unless: steps) {
                    steps = new.state
                    text += Self.message("steps", new.html)
                }
            }
            if text.isEmpty, clock.now - lastWrite >= Self.heartbeat { text = ":\n\n" }
            if !text.isEmpty {
                try await writer.write(ByteBuffer(string: text))
                lastWrite = clock.now
            }
            try await Task.sleep(for: news.events.count < Self.rowLimit ? Self.pace : Self.slowPace)
        }
        try await writer.finish(nil)
    }

    private static func message(_ name: String, _ data: String, id: Int? = nil) -> String {
        let lines = data.split(whereSeparator: \.isNewline).map { "data: \($0)\n" }.joined()
        return "\(id.map { "id: \($0)\n" } ?? "")event: \(name)\n\(lines.isEmpty ? "data:\n" : lines)\n"
    }
}
