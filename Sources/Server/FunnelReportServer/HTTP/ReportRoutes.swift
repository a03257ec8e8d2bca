import Foundation
import FunnelReports
import Funnels
import HTTPTypes
internal import Hummingbird
import NIOCore
import OperatorPages

/// The paths of a server.
struct ReportRoutes: Sendable {
    let desk: ReportDesk
    let metrics: ReportMetrics
    let password: ReportPassword?

    /// Returns the router.
    func router() -> Router<BasicRequestContext> {
        let router = Router(context: BasicRequestContext.self, options: .autoGenerateHeadEndpoints)
        router.add(middleware: ReportGuard(password: password, metrics: metrics))
        router.get("/") { request, _ in
            try Self.expectNoQuery(request)
            return try await answer(.overview, to: request)
        }
        router.get("/funnels/:name") { request, context in
            // The links of the page are relative to a path without a slash at its end.
            if request.uri.path.hasSuffix("/") { return Self.redirectWithoutSlash(request) }
            return try await page(of: Self.name(context), request)
        }
        router.get("/api/v1/funnels") { request, _ in
            try await answer(.json(funnel: nil, Self.query(request)), to: request)
        }
        router.get("/api/v1/funnels/:name") { request, context in
            try await answer(.json(funnel: Self.name(context), Self.query(request)), to: request)
        }
        router.get("/api/v1/openapi.json") { _, _ in
            Self.file(PackageResources.openapi_json, type: "application/json")
        }
        router.get("/refresh.js") { _, _ in
            Self.file(PackageResources.refresh_js, type: "text/javascript; charset=utf-8")
        }
        for page in OperatorPage.allCases {
            router.get(RouterPath(page.rawValue)) { _, _ in try await answer(page) }
        }
        return router
    }

    private func answer(_ question: ReportQuestion, to request: Request) async throws -> Response {
        // First, because a funnel that does not exist has no answer that could be unchanged. Answers are kept.
        let answer = try await desk.answer(question)
        var headers = Self.headers(answer.tag)
        if let known = request.headers[.ifNoneMatch], Self.isNamed(answer.tag, in: known) {
            return Response(status: .notModified, headers: headers)
        }
        headers[.contentType] = answer.contentType
        return Response(status: .ok, headers: headers, body: .init(byteBuffer: answer.body))
    }

    /// Answers with the page of a funnel. Its form can ask for what cannot be answered: then the page says why, and has the
    /// form again.
    private func page(of name: String, _ request: Request) async throws -> Response {
        var query = ReportQuery()
        func refusal(_ error: some Error & CustomStringConvertible) -> ReportProblem {
            var problem = ReportProblem(error)
            problem.page = LivePage.refusal(error.description, query)
            return problem
        }
        do {
            query = try Self.query(request)
            return try await answer(.page(funnel: name, query), to: request)
        } catch let error as ReportQueryError {
            query = error.query ?? query
            throw refusal(error)
        } catch let error as ReportRequestError {
            throw refusal(error)
        }
    }

    private static func redirectWithoutSlash(_ request: Request) -> Response {
        let name = request.uri.path.split(separator: "/").last ?? ""
        let query = request.uri.query.map { "?\($0)" } ?? ""
        // Relative, because a proxy may serve the pages below a path of its own.
        return Response(status: .movedPermanently, headers: [.location: "../\(name)\(query)"])
    }

    private static func headers(_ tag: StoreTag) -> HTTPFields {
        // A browser asks each time whether its copy is still right. No proxy keeps one, because there may be a password.
        [.eTag: "\"\(tag.text)\"", .cacheControl: "private, no-cache"]
    }

    /// Whether `If-None-Match` has the tag: a list of tags, each with `W/` or without.
    static func isNamed(_ tag: StoreTag, in known: String) -> Bool {
        known.split(separator: ",").contains { part in
            let text = part.drop { $0 == " " }
            let name = (text.hasPrefix("W/") ? text.dropFirst(2) : text).prefix { $0 != " " }
            return name == "\"\(tag.text)\"" || name == "*"
        }
    }

    private func answer(_ page: OperatorPage) async throws -> Response {
        do throws(OperatorPage.NotReady) {
            let (gauges, isStoreUp) = await page == .metrics ? gauges() : (nil, nil)
            return try await page.response {
                do {
                    _ = try await desk.tag()
                    return nil
                } catch {
                    return ReportProblem(error).detail
                }
            } metrics: {
                metrics.page(gauges: gauges, isStoreUp: isStoreUp)
            }
        } catch {
            throw ReportProblem(status: .serviceUnavailable, detail: error.reason)
        }
    }

    /// The gauges of the funnels, and whether the store can be read.
    private func gauges() async -> (text: String?, isStoreUp: Bool?) {
        do {
            return (String(buffer: try await desk.answer(.gauges).body), true)
        } catch StoreReaders.Failure.busy {
            return (nil, nil)
        } catch {
            return (nil, false)
        }
    }

    private static func name(_ context: BasicRequestContext) throws -> String {
        let name = try context.parameters.require("name")
        guard let decoded = name.removingPercentEncoding else {
            throw ReportProblem(status: .badRequest, detail: "the name of the funnel is not percent-encoded")
        }
        return decoded
    }

    private static func query(_ request: Request) throws(ReportQueryError) -> ReportQuery {
        try ReportQuery(request.uri.query ?? "")
    }

    private static func expectNoQuery(_ request: Request) throws(ReportProblem) {
        guard request.uri.query?.isEmpty ?? true else {
            throw ReportProblem(status: .badRequest, detail: "the overview takes no parameters")
        }
    }

    private static func file(_ bytes: [UInt8], type: String) -> Response {
        Response(
            status: .ok,
            headers: [.contentType: type, .cacheControl: "no-cache"],
            body: .init(byteBuffer: ByteBuffer(bytes: bytes))
        )
    }
}
