import EventTracking
import FlowEvents
import Foundation
import HTTPTypes
import Hummingbird
import NIOCore

/// Answers requests: the one place that knows addresses, methods and headers.
struct CollectorResponder: HTTPResponder {
    typealias Context = BasicRequestContext

    let keys: WriteKeys
    let sink: EventSink
    let readers: ReaderPool
    let limits: CollectorLimits
    let rates: RateLimiter
    let budget: MemoryBudget
    let metrics: CollectorMetrics
    let readiness: Readiness
    let cors: CORS

    func respond(to request: Request, context: BasicRequestContext) async -> Response {
        var response: Response
        do {
            response = try await route(request)
        } catch let problem as Problem {
            response = Response(problem)
        } catch {
            // The connection broke, or was cut, while the body was read: nobody may be there to read this.
            response = Response(Problem.tooSlow)
        }
        cors.add(to: &response.headers, for: request.headers)
        response.headers[.edgeTime] = Timestamp.now.description
        return response
    }

    private func route(_ request: Request) async throws -> Response {
        switch (request.uri.path, request.method) {
        case ("/v1/events", .post): return try await postMeasured(request)
        case ("/v1/events", .options):
            guard let headers = cors.preflight(request.headers) else { throw Problem.methodNotAllowed("POST") }
            return Response(status: .noContent, headers: headers)
        case ("/v1/events", _): throw Problem.methodNotAllowed("POST")
        case ("/healthz", .get), ("/healthz", .head): return Response(text: "ok\n")
        case ("/readyz", .get), ("/readyz", .head):
            guard readiness.isReady else {
                throw Problem.unavailable(readiness.isDraining ? "the collector ends" : "Kafka does not answer")
            }
            return Response(text: "ready\n")
        case ("/metrics", .get), ("/metrics", .head):
            return Response(text: metrics.text(pendingBytes: budget.used, isReady: readiness.isReady))
        case ("/healthz", _), ("/readyz", _), ("/metrics", _): throw Problem.methodNotAllowed("GET")
        default: throw Problem.notFound
        }
    }

    private func postMeasured(_ request: Request) async throws -> Response {
        let start = ContinuousClock.now
        do {
            let response = try await post(request)
            metrics.countRequest(status: response.status.code, took: .now - start)
            return response
        } catch {
            metrics.countRequest(status: (error as? Problem ?? .tooSlow).status, took: .now - start)
            throw error
        }
    }

    private func post(_ request: Request) async throws -> Response {
        guard !readiness.isDraining else { throw Problem.unavailable("the collector ends") }
        guard let key = keys.key(authorization: request.headers[.authorization]) else { throw Problem.unauthorized }
        if let wait = rates.wait(key) { throw Problem.tooMany(after: wait) }
        let kind = try ContentKind(
            contentType: request.headers[.contentType],
            isBinaryMode: request.headers[.ceSpecVersion] != nil
        )
        let (body, reservation) = try await RequestBodyReader(limits: limits, budget: budget).read(request)
        var intake = try RequestBatch(
            body,
            as: kind,
            key: key,
            limit: limits.batchCount,
            now: .now,
            pool: readers
        )
        rates.spend(intake.verdicts.count, by: key)
        let accepted = try await publish(&intake)
        // Until here the events were held in memory.
        withExtendedLifetime(reservation) {}
        metrics.countEvents(intake.verdicts, accepted: accepted, key: key)
        return Response(json: intake.verdicts.json, type: "application/json")
    }

    private func publish(_ intake: inout RequestBatch) async throws(Problem) -> Int {
        guard !intake.events.isEmpty else { return 0 }
        let outcomes = await sink.submit(intake.events).outcomes()
        guard let accepted = intake.settle(outcomes) else { throw Self.notAcknowledged }
        return accepted
    }

    static let notAcknowledged = Problem.unavailable(
        "Kafka did not acknowledge every event in time: send the request again"
    )
}

extension Response {
    /// An answer that is not 200.
    init(_ problem: Problem) {
        self.init(json: problem.json, type: "application/problem+json", status: .init(code: problem.status))
        if let seconds = problem.retryAfter { headers[.retryAfter] = "\(seconds)" }
        if problem.status == 401 { headers[.wwwAuthenticate] = "Bearer" }
        if problem.status == 405 { headers[.allow] = problem.detail.replacing("expected ", with: "") }
    }

    fileprivate init(json: [UInt8], type: String, status: HTTPResponse.Status = .ok) {
        self.init(status: status, headers: [.contentType: type], body: .init(byteBuffer: ByteBuffer(bytes: json)))
    }

    fileprivate init(text: String) {
        let headers: HTTPFields = [.contentType: "text/plain; version=0.0.4; charset=utf-8"]
        self.init(status: .ok, headers: headers, body: .init(byteBuffer: ByteBuffer(string: text)))
    }
}

extension HTTPField.Name {
    // A token of RFC 9110 each, which is all that the initializer asks for.
    // swift-format-ignore: NeverForceUnwrap
    static let edgeTime = HTTPField.Name("Edge-Time")!
    // swift-format-ignore: NeverForceUnwrap
    static let ceSpecVersion = HTTPField.Name("ce-specversion")!
}
