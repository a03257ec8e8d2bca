import FlowTestSupport
import Foundation
import Testing
#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Talks to a collector as any HTTP client does.
struct CollectorClient: Sendable {
    /// Where it listens, without a path.
    let address: URL

    var events: URL { address.appending(path: "v1/events") }

    /// Posts a batch as any client does.
    func post(_ body: String, secret: String = CollectorProcess.secret) async throws -> (status: Int, body: String) {
        var request = URLRequest(url: events)
        request.httpMethod = "POST"
        request.httpBody = Data(body.utf8)
        request.setValue("application/cloudevents-batch+json", forHTTPHeaderField: "Content-Type")
        request.setValue("Bearer \(secret)", forHTTPHeaderField: "Authorization")
        return try await answer(to: request)
    }

    func get(_ path: String) async throws -> (status: Int, body: String) {
        try await answer(to: URLRequest(url: address.appending(path: path)))
    }

    /// Asks until the answer is as wanted, again and again, as whoever watches a service does.
    func wait(for path: String, _ condition: (Int, String) -> Bool) async throws {
        var last: (status: Int, body: String)?
        try await until("/\(path) answers as wanted; its last answer: \(String(describing: last))") {
            let answer = try await get(path)
            last = answer
            return condition(answer.status, answer.body)
        }
    }

    private func answer(to request: URLRequest) async throws -> (status: Int, body: String) {
        var request = request
        // Other tests may hold all threads of the pool for a while.
        request.timeoutInterval = 300
        let (body, response) = try await URLSession.shared.data(for: request)
        let status = try #require(response as? HTTPURLResponse).statusCode
        return (status, String(decoding: body, as: UTF8.self))
    }
}
