import EventTracking
import FlowTestSupport
import Foundation
import Testing

@Suite struct EventSinkFileTests {
    private let folder: TemporaryDirectory
    private var path: String { folder.file("events.ndjson") }

    init() throws {
        folder = try TemporaryDirectory()
    }

    private func send(_ numbers: ClosedRange<Int>, to sink: EventSink) async -> [EventOutcome] {
        await sink.submit(numbers.map(encoded)).outcomes()
    }

    private var content: String {
        get throws { try String(contentsOfFile: path, encoding: .utf8) }
    }

    @Test func `each event is a line, appended over restarts`() async throws {
        let first = EventSink.file(path: path)
        #expect(await send(1...2, to: first) == [.delivered, .delivered])
        await first.shutdown()
        #expect(await send(3...3, to: .file(path: path)) == [.delivered])
        #expect(try content == "{\"n\":1}\n{\"n\":2}\n{\"n\":3}\n")
        let rights = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? NSNumber
        #expect(rights?.intValue == 0o600)
    }

    @Test func `a line that a crash left half written spoils no other`() async throws {
        try Data("{\"n\":1}\n{\"n\":".utf8).write(to: URL(fileURLWithPath: path))
        _ = await send(2...2, to: .file(path: path))
        #expect(try content == "{\"n\":1}\n{\"n\":\n{\"n\":2}\n")
    }

    @Test func `a path that cannot be opened rejects, and says which and why`() async throws {
        let missing = folder.file("no/events.ndjson")
        let detail = "open \(missing): No such file or directory"
        let failure = SinkFailure(code: "file_not_writable", detail: detail)
        #expect(await send(1...2, to: .file(path: missing)) == [.rejected(failure), .rejected(failure)])
    }

    @Test func `many at once do not mix their lines`() async throws {
        let sink = EventSink.file(path: path)
        await withTaskGroup(of: Void.self) { group in
            for start in 0..<20 {
                group.addTask { _ = await sink.submit((0..<50).map { encoded(start * 50 + $0) }).outcomes() }
            }
        }
        let lines = try content.split(separator: "\n")
        #expect(Set(lines) == Set((0..<1000).map { Substring("{\"n\":\($0)}") }))
        #expect(lines.count == 1000)
    }

    #if os(Linux)
    @Test func `a full disk is something that passes`() async {
        let outcomes = await send(1...1, to: .file(path: "/dev/full"))
        guard case .retry(let failure, nil)? = outcomes.first else {
            Issue.record("expected a retry, got \(outcomes)")
            return
        }
        #expect(failure.code == "file_busy")
    }
    #endif
}
