import FunnelReportServer
import HTTPTypes
import Hummingbird
import LiveEvents
internal import Logging
import NIOCore

/// The pages beside the collector: the reports, and the events as they come.
struct DevPages: Sendable {
    private let responder: any HTTPResponder<BasicRequestContext>
    private let key: AccessKey?
    private let logger: Logger

    init(feed: LiveFeed, reports: FunnelReportServer, key: AccessKey?, logger: Logger) {
        self.key = key
        self.logger = logger
        let router = reports.router()
        router.get("live") { request, _ in await Self.page(request, feed, reports) }
        router.get("live/events") { request, _ in Self.stream(request, feed, reports) }
        router.get("live.js") { _, _ in
            Response(
                status: .ok,
                headers: [.contentType: "text/javascript; charset=utf-8", .cacheControl: "no-cache"],
                body: .init(byteBuffer: ByteBuffer(bytes: EventsPage.script))
            )
        }
        responder = router.buildResponder()
    }

    /// Answers a request for a page; `nil` for what is the collector's.
    func respond(to request: Request, on channel: any Channel) async -> Response? {
        guard request.method == .get || request.method == .head, !request.uri.path.hasPrefix("/v1/") else { return nil }
        if let redirect = key?.redirect(request) { return redirect }
        let source = ApplicationRequestContextSource(channel: channel, logger: logger)
        do {
            return try await responder.respond(
                to: key?.admitted(request) ?? request,
                context: BasicRequestContext(source: source)
            )
        } catch {
            // The routes answer their own errors.
            return Response(status: .internalServerError)
        }
    }

    private static func filter(_ request: Request) -> LiveFilter {
        LiveFilter { name in request.uri.queryParameters[name[...]].map(String.init) }
    }

    private static func page(_ request: Request, _ feed: LiveFeed, _ reports: FunnelReportServer) async -> Response {
        let filter = filter(request)
        let slice = feed.events(after: nil, filter, limit: EventsPage.rowLimit)
        // Without the store's figures, the events are there all the same.
        let steps = try? await reports.steps(unless: nil)
        let html = EventsPage.page(slice, filter, feed.totals, steps: steps?.html ?? "", of: feed)
        return Response(
            status: .ok,
            headers: [.contentType: "text/html; charset=utf-8", .cacheControl: "no-store"],
            body: .init(byteBuffer: ByteBuffer(string: html))
        )
    }

    private static func stream(_ request: Request, _ feed: LiveFeed, _ reports: FunnelReportServer) -> Response {
        // A browser that connects again says what it has. A server that has begun anew has fewer events.
        let last = request.headers[.lastEventID] ?? request.uri.queryParameters["after"].map(String.init) ?? ""
        let stream = EventStream(
            feed: feed,
            reports: reports,
            filter: filter(request),
            last: min(Int(last) ?? 0, feed.totals.count)
        )
        return Response(
            status: .ok,
            headers: [.contentType: "text/event-stream", .cacheControl: "no-store"],
            body: .init { writer in try await stream.write(to: &writer) }
        )
    }
}

extension HTTPField.Name {
    // The name is a token of RFC 9110, which is all that the initializer requires.
    // swift-format-ignore: NeverForceUnwrap
    fileprivate static let lastEventID = HTTPField.Name("Last-Event-ID")!
}
