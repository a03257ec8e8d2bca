import FlowTestSupport
import Foundation
import RDKafka
import Testing

/// Tests the built `funnel-consumer erase` with a broker and an SQLite store.
@Suite(.waits, .serialized, .timeLimit(.minutes(10))) struct EraseCommandTests {
    private let pipeline: Pipeline

    init() throws {
        pipeline = try Pipeline()
    }

    private func erase(_ arguments: String...) async throws -> Command.Outcome {
        try await Command(
            "funnel-consumer",
            ["erase"] + arguments,
            in: pipeline.directory,
            environment: pipeline.environment
        ).end()
    }

    private func publish(_ install: String, user: String, _ id: String) async throws {
        let event = """
            {"specversion":"1.0","id":"\(id)","source":"app://test","type":"screen_view","time":"2026-03-02T00:00:00Z",\
            "data":{"install_id":"\(install)","session_id":"s-\(install)","user_id":"\(user)","screen":"home"}}
            """
        try await pipeline.publish([ProducerMessage(key: Array(install.utf8), value: Array(event.utf8))])
    }

    @Test func `a list of installs may begin with a byte order mark, and another encoding is refused`() async throws {
        try await publish("phone-of-ann", user: "ann", "event")
        try pipeline.directory.write("\u{FEFF}phone-of-ann\r\n\r\n", to: "installs.txt")
        #expect(try await erase("--installs-from", "installs.txt", "--yes").status == 0)
        #expect(try await pipeline.count().status == 0)
        #expect(try await pipeline.jsonReport().counts("home-to-paywall")[0] == 0)

        // René in Latin-1.
        let list = Data("phone-of-ann\nphone-of-Ren".utf8 + [0xE9, 0x0A])
        try list.write(to: URL(filePath: pipeline.directory.file("latin.txt")))
        let refused = try await erase("--installs-from", "latin.txt", "--yes")
        #expect(refused.status == 64 && refused.output.isEmpty, "\(refused.output)")
        #expect(refused.errors.contains("latin.txt:2: expected UTF-8"), "\(refused.errors)")
    }

    @Test func `the installs of a user leave the report, and nothing brings them back`() async throws {
        for (index, install) in ["phone-of-ann", "tablet-of-ann", "phone-of-bob", "phone-of-cem"].enumerated() {
            try await publish(install, user: install.hasSuffix("ann") ? "ann" : "other", "event-\(index)")
        }
        try #require(try await pipeline.count().status == 0)
        let before = try await pipeline.jsonReport()
        let asked = try await erase("--user", "ann")
        #expect(asked.status == 64 && asked.errors.contains("Add --yes"), "\(asked.errors)")
        #expect(asked.output == "phone-of-ann\ntablet-of-ann\n")
        #expect(try await erase("--user", "nobody", "--yes").output == "no install to erase\n")
        #expect(try await erase("--user", "ann", "--install", "x", "--yes").status == 64)

        let erased = try await erase("--user", "ann", "--yes")
        #expect(erased.status == 0 && erased.output.hasSuffix("what it reads a request for\n"), "\(erased.errors)")
        let count = try await pipeline.count()
        #expect(count.status == 0, "\(count.errors)")
        #expect(count.errors.matches(of: /hash=[0-9a-f]{64} .*an install was erased/).count == 2, "\(count.errors)")
        #expect(!count.errors.contains("of-ann"))
        #expect(count.errors.contains("the store's file was rewritten"), "\(count.errors)")
        try pipeline.directory.write("phone-of-ann\nphone-of-bob\n", to: "installs.txt")
        #expect(try await erase("--installs-from", "installs.txt", "--yes").status == 0)
        try await publish("phone-of-ann", user: "ann", "late")
        #expect(try await pipeline.count().status == 0)

        let after = try await pipeline.jsonReport()
        let json = try await pipeline.report("--format", "json").output
        #expect(json.contains(/"erased_installs": ?3/), "\(json)")
        let name = "home-to-paywall"
        #expect(before.counts(name)[0] == 4 && after.counts(name)[0] == 1)
        let bytes = try Data(contentsOf: URL(filePath: pipeline.directory.file("funnels.sqlite")))
        #expect(bytes.range(of: Data("of-ann".utf8)) == nil && bytes.range(of: Data("phone-of-cem".utf8)) != nil)
        let verified = try await Command(
            "funnel-consumer",
            ["verify"],
            in: pipeline.directory,
            environment: pipeline.environment
        ).end()
        #expect(verified.status == 0, "\(verified.output)\(verified.errors)")
    }
}
