import EventTracking
import FlowEvents
import Foundation
#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Sends requests with `URLSession`, and interprets the responses as an ``Answer``.
final class HTTPClient: Sendable {
    private struct Use {
        var requests = 0
        var isClosed = false
    }

    private let configuration: HTTPSinkConfiguration
    private let session: URLSession
    private let use = Locked(Use())

    init(_ configuration: HTTPSinkConfiguration) {
        self.configuration = configuration
        // No cookies, cache or credentials: the device stores nothing of a request.
        let settings = URLSessionConfiguration.ephemeral
        settings.httpCookieStorage = nil
        settings.urlCache = nil
        settings.requestCachePolicy = .reloadIgnoringLocalCacheData
        let seconds = Double(configuration.timeout.wholeMilliseconds) / 1000
        settings.timeoutIntervalForRequest = seconds
        settings.timeoutIntervalForResource = seconds
        session = URLSession(configuration: settings, delegate: NoRedirects(), delegateQueue: nil)
    }

    /// Ends the session after the requests that are running. A later request fails, as one that can be repeated.
    func close() {
        let isIdle = use.withLock { use in
            defer { use.isClosed = true }
            return !use.isClosed && use.requests == 0
        }
        if isIdle { session.finishTasksAndInvalidate() }
    }

    /// Notes a request. `false` after ``close()``: a session that has ended stops the program where it is used again.
    private func begin() -> Bool {
        use.withLock { use in
            if !use.isClosed { use.requests += 1 }
            return !use.isClosed
        }
    }

    private func end() {
        let isLast = use.withLock { use in
            use.requests -= 1
            return use.isClosed && use.requests == 0
        }
        if isLast { session.finishTasksAndInvalidate() }
    }

    /// Sends a batch, in halves if it is too large or cannot be read.
    func send(_ events: [EncodedEvent]) async -> [EventOutcome] {
        let answer = await post(events)
        switch answer {
        case .tooLarge where events.count > 1, .unreadable where events.count > 1: return await sendHalves(of: events)
        case .unreadable where await takesBodies(): return [.rejected(.damaged)]
        default: return answer.outcomes(of: events)
        }
    }

    private func sendHalves(of events: [EncodedEvent]) async -> [EventOutcome] {
        let middle = events.count / 2
        let first = await send(Array(events[..<middle]))
        // The second half is not sent, because it would fail too. This keeps the order of the events.
        if let failure = first.first(where: \.keepsEvent) {
            return first + events[middle...].map { _ in failure }
        }
        return await first + send(Array(events[middle...]))
    }

    /// Whether the collector can read a body that has no event. If it cannot, for example because a proxy damages every
    /// body, an unreadable event is not at fault.
    private func takesBodies() async -> Bool {
        if case .results = await post([], compresses: configuration.compresses) { true } else { false }
    }

    /// Posts an empty batch. The response has the collector's time, and shows whether the write key is valid.
    func clock() async -> SinkClock {
        let answer = await post([])
        if let refusal = answer.refusal { return .unavailable(refusal) }
        if case .results(_, let clock?) = answer { return .reading(clock) }
        return .none
    }

    private func post(_ events: [EncodedEvent], compresses: Bool? = nil) async -> Answer {
        guard begin() else {
            return .failed(SinkFailure(code: "closed", detail: "the sink was shut down before the request"))
        }
        defer { end() }
        var request = URLRequest(url: configuration.url)
        request.httpMethod = "POST"
        request.setValue("application/cloudevents-batch+json; charset=UTF-8", forHTTPHeaderField: "Content-Type")
        request.setValue("application/json", forHTTPHeaderField: "Accept")
        request.setValue("Bearer \(configuration.writeKey())", forHTTPHeaderField: "Authorization")
        var body = BatchBody.bytes(of: events)
        if compresses ?? (configuration.compresses && !events.isEmpty), let compressed = Gzip.compressed(body) {
            body = compressed
            request.setValue("gzip", forHTTPHeaderField: "Content-Encoding")
        }
        request.httpBody = Data(body)
        do {
            let (data, response) = try await session.data(for: request)
            guard let response = response as? HTTPURLResponse else {
                return .failed(.notUnderstood("no HTTP response"))
            }
            return Answer(
                status: response.statusCode,
                to: events.count,
                header: { response.value(forHTTPHeaderField: $0) },
                body: data,
                now: .now
            )
        } catch {
            let code = (error as? URLError).map { "url_error_\($0.errorCode)" } ?? "no_connection"
            return .failed(SinkFailure(code: code, detail: error.localizedDescription))
        }
    }
}

/// Does not follow redirects; the redirect itself is the response.
private final class NoRedirects: NSObject, URLSessionTaskDelegate {
    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest,
        completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
        completionHandler(nil)
    }
}
