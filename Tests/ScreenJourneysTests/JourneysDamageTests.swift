import EventTracking
import FlowEvents
import Foundation
import GRDB
import ScreenJourneys
import FlowProcessTestSupport
import FlowTestSupport
import Testing

@Suite(.waits) struct JourneysDamageTests {
    let fixture: JourneysFixture

    init() throws {
        fixture = try JourneysFixture()
    }

    @Test(arguments: ["not a database at all, but a text of some length", "SQLite format 3\u{0} and then nothing good"])
    func `a damaged database is set aside, reported, and a new one begun`(content: String) async throws {
        let damaged = Data(content.utf8) + Data(repeating: 7, count: 4096)
        try damaged.write(to: URL(fileURLWithPath: fixture.path))
        let journeys = fixture.open()
        journeys.visit("home")
        #expect(try await journeys.counts() == ["home": 1])
        #expect(try Data(contentsOf: URL(fileURLWithPath: fixture.path + ".damaged")) == damaged)
        let reports = fixture.reports.withLock { $0 }
        #expect(reports.count == 1)
        guard case .setAside(fixture.path + ".damaged", _)? = reports.first else {
            Issue.record("reported \(reports)")
            return
        }
    }

    @Test func `a page that was overwritten is found at the opening`() async throws {
        let first = fixture.open()
        for number in 1...2000 {
            first.visit("a-screen-with-a-long-name-\(number)")
            if number.isMultiple(of: 500) { await first.flush() }
        }
        await first.close()
        let file = try FileHandle(forUpdating: URL(fileURLWithPath: fixture.path))
        for page in 2...8 {
            try file.seek(toOffset: UInt64(page * 4096))
            try file.write(contentsOf: Data(repeating: 0xA5, count: 4096))
        }
        try file.close()
        let second = fixture.open()
        second.visit("home")
        #expect(try await second.counts() == ["home": 1])
        #expect(try fixture.files.contains("journeys.sqlite.damaged"))
        #expect(fixture.reports.withLock { $0.count } == 1)
    }

    @Test func `another program's database is set aside, not written to`() async throws {
        let other = try DatabaseQueue(path: fixture.path)
        try await other.write { try $0.execute(sql: "CREATE TABLE contacts(name TEXT)") }
        try other.close()
        let journeys = fixture.open()
        journeys.visit("home")
        #expect(try await journeys.counts() == ["home": 1])
        let aside = try DatabaseQueue(path: fixture.path + ".damaged")
        #expect(try await aside.read { try $0.tableExists("contacts") })
    }

    @Test func `a file of a later version is left alone, and that is reported`() async throws {
        let first = fixture.open()
        first.visit("home")
        await first.close()
        let later = try DatabaseQueue(path: fixture.path)
        try await later.write { try $0.execute(sql: "PRAGMA user_version = 2") }
        try later.close()
        let journeys = fixture.open()
        journeys.visit("paywall")
        await journeys.flush()
        guard case .notWritten(1, let reason)? = fixture.reports.withLock({ $0.first }) else {
            Issue.record("reported \(fixture.reports.withLock { $0 })")
            return
        }
        #expect(reason.contains("a later version"))
        #expect(!FileManager.default.fileExists(atPath: fixture.path + ".damaged"))
    }

    @Test func `only the last damaged database is kept, and opting out deletes it`() async throws {
        for content in ["first", "second"] {
            let bytes = Data(content.utf8) + Data(repeating: 7, count: 2048)
            try bytes.write(to: URL(fileURLWithPath: fixture.path))
            let journeys = fixture.open()
            journeys.visit("home")
            await journeys.close()
        }
        let kept = try Data(contentsOf: URL(fileURLWithPath: fixture.path + ".damaged"))
        #expect(kept.starts(with: Data("second".utf8)))
        try await fixture.open().optOut()
        #expect(try fixture.files == ["journeys.sqlite.off"])
    }

    @Test func `a folder that is not there is reported, and a question says so`() async throws {
        let reports = fixture.reports
        let journeys = Journeys(
            path: fixture.folder.path + "/missing/journeys.sqlite",
            onReport: { report in reports.withLock { $0.append(report) } }
        )
        journeys.visit("home")
        await journeys.flush()
        guard case .notWritten(1, _)? = reports.withLock({ $0.first }) else {
            Issue.record("reported \(reports.withLock { $0 })")
            return
        }
        await #expect(throws: JourneysError.self) { try await journeys.paywallViews() }
    }

    @Test func `killed in the middle of a write, it has all that was written, and nothing is damaged`() async throws {
        for _ in 0..<3 {
            let helper = try HelperProcess("screen-journeys-helper", fixture.path)
            var last = 0
            while last < 400 {
                let output = helper.nextOutput()
                try #require(!output.isEmpty, "the helper ended by itself")
                last = output.split(separator: "\n").last.flatMap { Int($0) } ?? last
            }
            helper.kill()
            let journeys = Journeys(
                path: fixture.path,
                onReport: { [reports = fixture.reports] report in reports.withLock { $0.append(report) } }
            )
            let counts = try await journeys.counts()
            for number in 1...last { try #require(counts["screen-\(number)"] ?? 0 >= 1) }
            await journeys.close()
        }
        #expect(fixture.reports.withLock { $0 }.isEmpty)
    }

    @Test @MainActor func `recording does not wait for a database that is locked`() async throws {
        let journeys = fixture.open()
        journeys.visit("home")
        await journeys.flush()
        let other = try DatabaseQueue(path: fixture.path)
        try lock(other) {
            // The other connection locks the file on this thread, so waiting for it would never end.
            for number in 0..<3000 { journeys.visit("s\(number)") }
        }
        await journeys.flush()
        let counts = try await journeys.counts()
        let lost = fixture.reports.withLock { reports in
            reports.reduce(0) { sum, report in
                switch report {
                case .overflow(let count), .notWritten(let count, _): sum + count
                case .setAside: sum
                }
            }
        }
        #expect(counts.values.reduce(0, +) + lost == 3001)
    }

    // Not in the test itself, which is asynchronous and would use GRDB's asynchronous methods.
    private func lock(_ queue: DatabaseQueue, _ body: () -> Void) throws {
        try queue.inDatabase { database in
            try database.execute(sql: "BEGIN EXCLUSIVE")
            body()
            try database.execute(sql: "COMMIT")
        }
    }
}
