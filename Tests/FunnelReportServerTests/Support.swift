import FlowEvents
import FlowTestSupport
import Foundation
import FunnelPostgresTestSupport
import FunnelReportServer
import FunnelServiceSupport
import FunnelStore
import FunnelStoreSQLite
import FunnelStoreTestSupport
import Logging
import ServiceLifecycle
import Testing
#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@testable import Funnels

/// A consumer's side of a store, with counts that a test chooses.
struct FilledStore {
    let directory: TemporaryDirectory
    let store: any FunnelStore
    private(set) var offset: Int64?

    /// 2026-11-14
    static let firstDay: Int32 = 20_771

    var path: String { directory.file("funnels.sqlite") }

    /// An SQLite store with 20 days of two funnels.
    init() throws {
        directory = try TemporaryDirectory()
        store = try SQLiteFunnelStore(path: directory.file("funnels.sqlite"))
        try fill()
    }

    init(_ store: any FunnelStore) throws {
        directory = try TemporaryDirectory()
        self.store = store
        try fill()
    }

    private mutating func fill() throws {
        _ = try store.open(StoreFixtures.identity())
        try commit((0..<20).flatMap { day in [(funnel: 0, day: day, 100, 25), (funnel: 1, day: day, 40, 10)] })
    }

    /// Adds attempts: of `entered` actors, `reached` got to the second step after a second.
    mutating func commit(
        _ attempts: [(funnel: Int, day: Int, entered: Int, reached: Int)],
        values: [String] = ["ios"]
    ) throws {
        let summary = attempts.flatMap { funnel, day, entered, reached in
            ([nil] + values).map { value in
                let day = Self.firstDay + Int32(day)
                var group = SummaryGroup()
                let (one, both) = (Outcome(steps: 0b1, rank: 1), Outcome(steps: 0b11, rank: 2))
                group.add(times: [1000], of: both.steps, FunnelRules(), count: Int64(reached))
                return SummaryDelta(
                    key: StoreFixtures.key(funnel, value, day: day),
                    counts: [
                        OutcomeCount(gaps: DayGaps(), outcome: one, actors: Int64(entered - reached)),
                        OutcomeCount(gaps: DayGaps(), outcome: both, actors: Int64(reached)),
                    ],
                    segment: SummarySegment.encoded([DayGaps(): group])
                )
            }
        }
        let next = (offset ?? 0) + 10
        // The first record of the day after the 18th day.
        let watermark = (Int64(Self.firstDay) + 19) * 86_400_000 - 1 + Int64(next)
        let advance = StoreFixtures.advance(
            0,
            from: offset,
            to: next,
            watermark: watermark,
            quality: Quality(events: next)
        )
        let settings = TopicSettings(partitionCount: 1, allowedLateness: 86_400_000)
        let commit = StoreCommit(partitions: [advance], installs: [], summary: summary, topic: settings)
        try #require(try store.commit(commit) == .committed)
        offset = next
    }

    /// Opens the SQLite store as the command does.
    var opening: StoreOpening {
        let path = path
        return StoreOpening(keepsReaders: false) { try SQLiteFunnelReader(path: path, busyTimeout: .milliseconds(100)) }
    }
}

/// A server in this process. Tests talk to it over TCP.
struct RunningServer {
    let address: String
    private let session: URLSession

    static func with(
        _ opening: StoreOpening,
        password: String? = nil,
        _ change: (inout ReportServerSettings.Limits) -> Void = { _ in },
        _ body: (RunningServer) async throws -> Void
    ) async throws {
        var settings = try ReportServerSettings(address: .init(host: "127.0.0.1", port: 0), password: password)
        // Tests see each commit at once.
        settings.limits.stateAge = .zero
        settings.limits.patience = patience
        change(&settings.limits)
        let (ports, continuation) = AsyncStream<Int>.makeStream()
        let silent = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        let server = FunnelReportServer(settings: settings, store: opening, logger: silent) { continuation.yield($0) }
        let group = ServiceGroup(services: [server], logger: silent)
        try await withThrowingTaskGroup(of: Void.self) { tasks in
            tasks.addTask {
                defer { continuation.finish() }
                try await group.run()
            }
            var iterator = ports.makeAsyncIterator()
            if let port = await iterator.next() { try await body(RunningServer(port: port)) }
            await group.triggerGracefulShutdown()
            try await tasks.waitForAll()
        }
    }

    /// The URL of a path.
    func url(_ path: String) throws -> URL { try #require(URL(string: address + path)) }

    private init(port: Int) {
        address = "http://127.0.0.1:\(port)"
        let configuration = URLSessionConfiguration.ephemeral
        configuration.urlCache = nil
        session = URLSession(configuration: configuration)
    }

    struct Answer {
        let status: Int
        let headers: [String: String]
        let body: String
    }

    func get(_ path: String, _ headers: [String: String] = [:], method: String = "GET") async throws -> Answer {
        var request = URLRequest(url: try url(path))
        request.httpMethod = method
        // It includes the wait for one of the few connections that URLSession opens to a host.
        request.timeoutInterval = patience / .seconds(1)
        for (name, value) in headers { request.setValue(value, forHTTPHeaderField: name) }
        let (body, response) = try await session.data(for: request)
        let answer = try #require(response as? HTTPURLResponse)
        let pairs = answer.allHeaderFields.map { ("\($0)".lowercased(), "\($1)") }
        return Answer(
            status: answer.statusCode,
            headers: Dictionary(pairs) { first, _ in first },
            body: String(decoding: body, as: UTF8.self)
        )
    }
}

/// The header of a password, with any user name.
func basic(_ password: String, user: String = "me") -> [String: String] {
    ["Authorization": "Basic " + Data("\(user):\(password)".utf8).base64EncodedString()]
}

extension RunningServer {
    /// Sends a request that `URLSession` would change, with a path or a `Host` as it is, or whose answer it would wait for
    /// in vain: on Linux it does not return the answer 401.
    func raw(_ path: String, _ headers: [String: String] = [:]) async throws -> Answer {
        let arguments =
            ["/usr/bin/env", "curl", "--silent", "--include", "--globoff", "--path-as-is", "--max-time", "300"]
            + headers.flatMap { ["-H", "\($0): \($1)"] } + [address + path]
        let output = try await onThread { try run(arguments) }
        let parts = output.components(separatedBy: "\r\n\r\n")
        let lines = parts[0].components(separatedBy: "\r\n")
        let status = try #require(lines.first?.split(separator: " ").dropFirst().first.flatMap { Int($0) })
        let pairs = lines.dropFirst().compactMap { line -> (String, String)? in
            guard let colon = line.firstIndex(of: ":") else { return nil }
            return (line[..<colon].lowercased(), line[colon...].dropFirst().trimmingCharacters(in: .whitespaces))
        }
        return Answer(
            status: status,
            headers: Dictionary(pairs) { first, _ in first },
            body: parts.dropFirst().joined(separator: "\r\n\r\n")
        )
    }
}
