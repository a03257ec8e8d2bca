import FlowTestSupport
import Foundation
import FunnelStore
import FunnelStoreSQLite
import FunnelStoreTestSupport
import Funnels
import Synchronization
import Testing

@testable import FunnelReportServer

/// A server beside consumers that write, rebuild, lock and remove its store.
@Suite(.waits, .timeLimit(.minutes(10))) struct LiveStoreTests {
    @Test func `a page is answered with 304 until the store changes`() async throws {
        var filled = try FilledStore()
        try await RunningServer.with(filled.opening) { server in
            for path in ["/", "/funnels/first", "/api/v1/funnels"] {
                let first = try await server.get(path)
                let tag = try #require(first.headers["etag"])
                let unchanged = try await server.get(path, ["If-None-Match": tag])
                #expect(unchanged.status == 304 && unchanged.body.isEmpty && unchanged.headers["etag"] == tag)
                try filled.commit([(0, 19, 50, 50)])
                let changed = try await server.get(path, ["If-None-Match": tag])
                #expect(changed.status == 200 && changed.headers["etag"] != tag && changed.body != first.body)
            }
        }
    }

    @Test func `an unchanged store is read once for each question`() async throws {
        let filled = try FilledStore()
        let opened = Mutex(0)
        let opening = filled.opening
        let counting = StoreOpening(keepsReaders: false) {
            opened.withLock { $0 += 1 }
            return try opening.open()
        }
        try await RunningServer.with(counting) {
            $0.stateAge = .seconds(600)
        } _: { server in
            try await withThrowingTaskGroup(of: String.self) { tasks in
                for _ in 0..<100 { tasks.addTask { try await server.get("/funnels/first").body } }
                var bodies: Set<String> = []
                for try await body in tasks { bodies.insert(body) }
                #expect(bodies.count == 1)
            }
            // Once for the state, and once for the page.
            #expect(opened.withLock { $0 } == 2)
        }
    }

    @Test func `a store that is gone is 503 with the reason, and one that is back is shown`() async throws {
        let filled = try FilledStore()
        try filled.store.close()
        try await RunningServer.with(filled.opening) { server in
            #expect(try await server.get("/funnels/first").status == 200)
            let elsewhere = filled.directory.file("elsewhere")
            try FileManager.default.moveItem(atPath: filled.path, toPath: elsewhere)
            let page = try await server.get("/funnels/first")
            #expect(page.status == 503 && page.body.contains("funnels.sqlite") && page.headers["retry-after"] == "2")
            #expect(try await server.get("/readyz").status == 503)
            #expect(try await server.get("/healthz").status == 200)
            #expect(try await server.get("/metrics").body.contains("funnel_report_store_up 0\n"))
            try FileManager.default.moveItem(atPath: elsewhere, toPath: filled.path)
            #expect(try await server.get("/funnels/first").status == 200)
        }
    }

    @Test func `a file that is no store, or of a newer version, is 503`() async throws {
        let filled = try FilledStore()
        try filled.store.close()
        let original = try Data(contentsOf: URL(filePath: filled.path))
        try await RunningServer.with(filled.opening) { server in
            try FileManager.default.removeItem(atPath: filled.path)
            try Data("no store, whatever else it may be".utf8).write(to: URL(filePath: filled.path))
            let page = try await server.get("/")
            #expect(page.status == 503 && page.body.contains("funnels.sqlite"))
            // The version is in four bytes of the file's header.
            var store = original
            store[60..<64] = Data([0, 0, 1, 0])
            try store.write(to: URL(filePath: filled.path))
            let newer = try await server.get("/")
            #expect(newer.status == 503 && newer.body.contains("newer"), "\(newer.body.prefix(200))")
            try original.write(to: URL(filePath: filled.path))
            #expect(try await server.get("/").status == 200)
        }
    }

    @Test func `funnels that a rebuild changes are shown at once`() async throws {
        let filled = try FilledStore()
        try await RunningServer.with(filled.opening) { server in
            let before = try await server.get("/")
            let rebuilder = try SQLiteFunnelRebuilder(path: filled.path)
            try rebuilder.rebuild { rebuild in
                try rebuild.moveSummary([0: 0])
                try rebuild.setFunnels([StoreFixtures.funnel("renamed")], counted: [], completeFrom: nil)
            }
            let after = try await server.get("/")
            #expect(after.headers["etag"] != before.headers["etag"])
            #expect(after.body.contains("funnels/renamed") && !after.body.contains("funnels/second"))
            #expect(try await server.get("/funnels/first").status == 404)
        }
    }

    @Test func `a question that takes too long, and those beyond the limit, are 503`() async throws {
        let filled = try FilledStore()
        let gate = Gate()
        let opening = filled.opening
        let slow = StoreOpening(keepsReaders: false) {
            gate.pass()
            return try opening.open()
        }
        try await RunningServer.with(slow) { limits in
            limits.patience = .seconds(2)
        } _: { server in
            // On a busy machine, even a free store may take longer than the two seconds.
            try await until("the store answers") { try await server.get("/").status == 200 }
            gate.close()
            let page = try await server.get("/")
            #expect(page.status == 503 && page.body.contains("has not answered"))
            gate.open()
            try await until("the store answers again") { try await server.get("/").status == 200 }
        }
    }

    @Test func `metrics beyond the limit do not say that the store is down`() async throws {
        let filled = try FilledStore()
        let gate = Gate()
        let opening = filled.opening
        let openings = Atomic(0)
        let slow = StoreOpening(keepsReaders: false) {
            openings.add(1, ordering: .relaxed)
            gate.pass()
            return try opening.open()
        }
        try await RunningServer.with(slow) { limits in
            (limits.reports, limits.waiting) = (1, 0)
            // Each page of metrics asks for its gauges, and nothing but a report opens the store.
            (limits.cachedBytes, limits.stateAge) = (0, .seconds(600))
        } _: { server in
            try await until("the store answers") {
                try await server.get("/metrics").body.contains("funnel_report_store_up 1\n")
            }
            #expect(try await server.get("/metrics").body.contains("funnel_report_settled_actors"))
            gate.close()
            let before = openings.load(ordering: .relaxed)
            async let waiting = server.get("/")
            try await until("the page waits for the store") { openings.load(ordering: .relaxed) > before }
            let busy = try await server.get("/metrics").body
            #expect(!busy.contains("funnel_report_settled_actors"), "\(busy)")
            #expect(busy.contains("funnel_report_store_up 1\n"), "\(busy)")
            gate.open()
            #expect(try await waiting.status == 200)
        }
    }

    @Test func `a hundred readers of a store that a consumer writes see one state each`() async throws {
        var filled = try FilledStore()
        try await RunningServer.with(filled.opening) { server in
            try await withThrowingTaskGroup(of: Void.self) { tasks in
                for _ in 0..<100 {
                    tasks.addTask {
                        for _ in 0..<5 {
                            let answer = try await server.get("/api/v1/funnels/first?last=1d")
                            #expect(answer.status == 200)
                            // Each commit adds one actor and ten events.
                            let json = try #require(
                                try JSONSerialization.jsonObject(with: Data(answer.body.utf8)) as? [String: Any]
                            )
                            let events = try #require((json["quality"] as? [String: Any])?["events"] as? Int)
                            let steps = try #require(
                                (json["funnels"] as? [[String: Any]])?[0]["steps"] as? [[String: Any]]
                            )
                            let commits = try #require(steps[0]["count"] as? Int) - 100
                            #expect(events == (1...(commits + 1)).reduce(0) { $0 + 10 * $1 })
                        }
                    }
                }
                for _ in 0..<30 {
                    try filled.commit([(0, 19, 1, 0)])
                    await Task.yield()
                }
                try await tasks.waitForAll()
            }
        }
    }
}

/// Lets threads pass, or makes them wait.
// Unchecked, because `isClosed` is used under the lock of `condition` only.
private final class Gate: @unchecked Sendable {
    private let condition = NSCondition()
    private var isClosed = false

    func pass() {
        condition.lock()
        defer { condition.unlock() }
        while isClosed { condition.wait() }
    }

    func close() { set(true) }

    func open() { set(false) }

    private func set(_ value: Bool) {
        condition.lock()
        defer { condition.unlock() }
        isClosed = value
        condition.broadcast()
    }
}
