import EventTracking
import FlowEvents
import Foundation
import HTTPTypes
internal import Hummingbird
internal import NIOCore
import OperatorPages

/// Answers the collector's HTTP requests. No other type knows its paths, methods and headers.
struct CollectorResponder: HTTPResponder {
    typealias Context = CollectorContext

    let keys: WriteKeys
    let sink: EventSink
    let readers: ReaderPool
    let limits: CollectorLimits
    let rates: RateLimiter
    let failures: RateLimiter
    let budget: MemoryBudget
    /// What requests to erase may use where the key has used up what it may.
    let erasureBudget: MemoryBudget
    let connections: ConnectionTable
    let metrics: CollectorMetrics
    let readiness: Readiness
    let cors: CORS
    let webhooks: WebhookResponder
    let companion: CollectorCompanion?

    func respond(to request: Request, context: CollectorContext) async -> Response {
        var response: Response
        do {
            response = try await route(request, context)
        } catch let problem as Problem {
            companion?.onRefusal(.request(path: request.uri.path, status: problem.status, detail: problem.detail))
            response = Response(problem)
        } catch {
            // The connection broke or was closed while the body was read. The client may not read this answer.
            response = Response(Problem.tooSlow)
        }
        response.headers.complete(forAnswerTo: request.headers, cors)
        // An answer to HEAD must have no body: the client would read the body as the start of the next answer.
        return request.method == .head ? response.createHeadResponse() : response
    }

    private func route(_ request: Request, _ context: CollectorContext) async throws -> Response {
        if let page = OperatorPage(rawValue: request.uri.path) {
            guard [.get, .head].contains(request.method) else { throw Problem.methodNotAllowed("GET, HEAD") }
            return try await response(page)
        }
        // Operators can see that the collector is overloaded, so their pages come first.
        guard !connections.isOverloaded else { throw Problem.tooManyConnections }
        if let response = await companion?.respond(request, context.channel) { return response }
        if let webhook = webhooks.webhooks[request.uri.path] { return try await post(request, to: webhook, context) }
        let key = self.key(of: request)
        do {
            switch (request.uri.path, request.method) {
            case ("/v1/events", .post): return try await postMeasured(request, key, context)
            case ("/v1/events", .options):
                guard let headers = cors.preflight(request.headers) else { throw Problem.methodNotAllowed("POST") }
                return Response(status: .noContent, headers: headers)
            case ("/v1/events", _): throw Problem.methodNotAllowed("POST")
            default: throw Problem.notFound
            }
        } catch  where key == nil {
            // Only requests without a valid key count against the address. `read` counts the posts of a valid key against
            // that key.
            try countFailure(context)
            throw error
        }
    }

    /// The write key of a request: from its `Authorization`, or from its query, because `navigator.sendBeacon` can set no
    /// headers.
    private func key(of request: Request) -> WriteKey? {
        if let authorization = request.headers[.authorization] { return keys.key(authorization: authorization) }
        return request.uri.queryParameters["key"].flatMap { keys.key(secret: String($0)) }
    }

    private func countFailure(_ context: CollectorContext) throws(Problem) {
        if let wait = failures.wait(context.peer) { throw .tooManyFailures(after: wait) }
        failures.spend(1, by: context.peer)
    }

    private func post(
        _ request: Request,
        to webhook: Webhook,
        _ context: CollectorContext
    ) async throws(Problem) -> Response {
        guard request.method == .post else { throw .methodNotAllowed("POST") }
        guard !readiness.isDraining else { throw .unavailable(Readiness.draining) }
        do throws(WebhookResponder.Failure) {
            return try await webhooks.respond(to: request, webhook, context)
        } catch {
            if !error.isKnownSender { try countFailure(context) }
            throw error.problem
        }
    }

    private func response(_ page: OperatorPage) async throws(Problem) -> Response {
        do throws(OperatorPage.NotReady) {
            return try await page.response {
                readiness.reasonNotReady
            } metrics: {
                metrics.page(pendingBytes: budget.used, isReady: readiness.isReady)
            }
        } catch {
            throw .unavailable(error.reason)
        }
    }

    private func postMeasured(
        _ request: Request,
        _ key: WriteKey?,
        _ context: CollectorContext
    ) async throws -> Response {
        let start = ContinuousClock.now
        do {
            let response = try await post(request, key, context)
            metrics.countRequest(status: response.status.code, duration: .now - start)
            return response
        } catch {
            metrics.countRequest(status: (error as? Problem ?? .tooSlow).status, duration: .now - start)
            throw error
        }
    }

    private func post(_ request: Request, _ key: WriteKey?, _ context: CollectorContext) async throws -> Response {
        guard !readiness.isDraining else { throw Problem.unavailable(Readiness.draining) }
        guard let key else { throw Problem.unauthorized }
        connections.foundKey(on: context.channel)
        let (reservation, refusal) = try admit(request, key)
        var batch = try await read(request, key, reservation, isCounted: refusal == nil)
        if let refusal, !batch.isErasure { throw refusal }
        defer { if let companion { report(batch.rejected, to: companion) } }
        // The answer is reserved before the events are published, so that no memory is needed once Kafka has them.
        guard reservation.resize(to: reservation.size + batch.verdicts.maximumSize) else { throw Problem.noMemory }
        let accepted = try await publish(&batch)
        metrics.countEvents(batch.verdicts, accepted: accepted, key: key)
        let json = [UInt8](json: EventResults(verdicts: batch.verdicts))
        _ = reservation.resize(to: json.count)
        connections.keep(reservation, forAnswerOn: context.channel)
        return Response(json: json, type: "application/json")
    }

    /// Reserves what a request needs. A person's request to be erased must not wait for what others send. So a small request
    /// beyond the limits of its key is read, too.
    ///
    /// - Returns: the reservation, and why the request is refused unless it asks to erase; `nil` within the limits.
    /// - Throws: `Problem` for a request that is refused without being read.
    private func admit(_ request: Request, _ key: WriteKey) throws -> (MemoryBudget.Reservation, Problem?) {
        let refusal: Problem
        if let wait = rates.wait(key.name) {
            refusal = .tooMany(after: wait)
        } else if let reservation = budget.admit(key.name) {
            let size = request.smallSize.map { RequestSize.reserved(plain: $0) } ?? 0
            if reservation.resize(to: size) { return (reservation, nil) }
            refusal = .noMemory
        } else {
            refusal = .tooManyAtOnce
        }
        guard request.smallSize != nil, let reservation = erasureBudget.admit(key.name) else { throw refusal }
        return (reservation, refusal)
    }

    private func report(_ rejected: [RejectedEvent], to companion: CollectorCompanion) {
        for event in rejected {
            companion.onRefusal(
                .event(event.value, reason: event.rejection.reason, detail: event.rejection.detail)
            )
        }
    }

    private func read(
        _ request: Request,
        _ key: WriteKey,
        _ reservation: MemoryBudget.Reservation,
        isCounted: Bool
    ) async throws -> RequestBatch {
        do {
            let kind = try ContentKind(
                contentType: request.headers[.contentType],
                isBinaryMode: request.headers[.ceSpecVersion] != nil
            )
            var body = try await RequestBodyReader(limits: limits, reservation: reservation).read(request)
            if kind == .binary { body = try BinaryMode.structured(body, request.headers) }
            let batch = try RequestBatch(
                body,
                as: kind,
                key: key,
                limit: limits.batchCount,
                now: .now,
                pool: readers,
                keepsRejected: companion != nil
            )
            if isCounted, !batch.isErasure { rates.spend(batch.verdicts.count, by: key.name) }
            return batch
        } catch {
            guard isCounted else { throw error }
            rates.spend(RequestSize.cost(reserved: reservation.size), by: key.name)
            throw error
        }
    }

    private func publish(_ batch: inout RequestBatch) async throws(Problem) -> Int {
        guard !batch.events.isEmpty else { return 0 }
        let outcomes = await sink.submit(batch.events).outcomes()
        guard let accepted = batch.settle(outcomes) else { throw Self.notAcknowledged }
        return accepted
    }

    static let notAcknowledged = Problem.unavailable(
        "Kafka did not acknowledge every event in time: send the request again"
    )
}

extension Response {
    /// An answer that is not 200.
    init(_ problem: Problem) {
        self.init(json: [UInt8](json: problem), type: "application/problem+json", status: .init(code: problem.status))
        if let seconds = problem.retryAfter { headers[.retryAfter] = "\(seconds)" }
        if problem.status == 401 { headers[.wwwAuthenticate] = "Bearer" }
        if problem.closesConnection { headers[.connection] = "close" }
        if let methods = problem.allowedMethods { headers[.allow] = methods }
    }

    init(json: [UInt8], type: String, status: HTTPResponse.Status = .ok) {
        self.init(status: status, headers: [.contentType: type], body: .init(byteBuffer: ByteBuffer(bytes: json)))
    }
}

extension Request {
    /// The size that a request announces, if a request to erase can have it: that has less than 4 KB.
    fileprivate var smallSize: Int? {
        headers[.contentLength].flatMap { Int($0) }.flatMap { $0 <= 16_384 ? $0 : nil }
    }
}

extension HTTPFields {
    /// Adds what every answer of the collector has: the headers for pages of other origins, and the time.
    mutating func complete(forAnswerTo request: HTTPFields, _ cors: CORS) {
        cors.add(to: &self, for: request)
        self[.edgeTime] = Timestamp.now.description
    }
}

extension HTTPField.Name {
    // Both names are tokens of RFC 9110, which is all that the initializer requires.
    // swift-format-ignore: NeverForceUnwrap
    static let edgeTime = HTTPField.Name("Edge-Time")!
    // swift-format-ignore: NeverForceUnwrap
    static let ceSpecVersion = HTTPField.Name("ce-specversion")!
}
