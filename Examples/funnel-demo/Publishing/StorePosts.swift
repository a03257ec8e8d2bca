import FlowDemoSimulation
import FunnelCommandSupport
import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The posts of the store's server, and what the collector has answered.
struct StorePosts: Sendable, Hashable {
    /// The number of notifications that became events.
    var events = 0
    /// The number of ``events`` that were posted before.
    var repeated = 0
    /// The number of notifications about people whose install the store does not know.
    var deadLetters = 0
    /// The time that all posts took together.
    var duration = Duration.zero

    /// Posts the notifications to a collector, some at a time.
    ///
    /// - Throws: `CommandFailure` if one of them is not taken.
    static func post(_ posts: [StoreServer.Post], to collector: URL) async throws -> StorePosts {
        let start = ContinuousClock.now
        let url = collector.deletingLastPathComponent().appending(path: "webhooks/app-store")
        let session = URLSession(configuration: .ephemeral)
        defer { session.invalidateAndCancel() }
        var result = StorePosts()
        let lanes = 8
        let outcomes = try await withThrowingTaskGroup(of: [String].self) { group in
            for lane in 0..<lanes {
                group.addTask {
                    var outcomes: [String] = []
                    for index in stride(from: lane, to: posts.count, by: lanes) {
                        outcomes.append(try await outcome(of: posts[index], at: url, session))
                    }
                    return outcomes
                }
            }
            return try await group.reduce(into: [String]()) { $0 += $1 }
        }
        result.events = outcomes.count { $0 == "event" }
        result.deadLetters = outcomes.count { $0 == "dead_letter" }
        let known = posts.filter(\.hasInstall).map(\.body)
        result.repeated = known.count - Set(known).count
        guard result.events == known.count, result.deadLetters == posts.count - known.count else {
            throw CommandFailure(.software, "the collector did not take every notification as expected: \(result)")
        }
        result.duration = .now - start
        return result
    }

    private static func outcome(of post: StoreServer.Post, at url: URL, _ session: URLSession) async throws -> String {
        var request = URLRequest(url: url)
        request.httpMethod = "POST"
        request.httpBody = Data(post.body)
        let (body, response) = try await session.data(for: request)
        guard (response as? HTTPURLResponse)?.statusCode == 200 else {
            let text = String(decoding: body, as: UTF8.self)
            throw CommandFailure(.software, "the collector did not take a notification: \(text)")
        }
        return try JSONDecoder().decode(Answer.self, from: body).outcome
    }

    private struct Answer: Decodable {
        var outcome: String
    }

    var summary: String {
        """

           \((events + deadLetters).grouped("notification")) in \(String(format: "%.1f s", duration / .seconds(1))): trials, \
        payments, ends and refunds. On purpose, \(repeated.grouped) were posted
           twice, and of \(deadLetters.grouped) the store does not know the install: they are dead letters.
        """
    }
}
