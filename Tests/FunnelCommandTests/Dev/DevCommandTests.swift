import EventTracking
import FlowEvents
import FlowProcessTestSupport
import FlowTestSupport
import Foundation
import FunnelPostgresTestSupport
import HTTPSink
import KafkaTestSupport
import RDKafka
import Testing
#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// An app that is being built, and `funnel-dev`.
@Suite(.waits, .serialized, .timeLimit(.minutes(10))) struct DevCommandTests {
    private let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
    }

    @Test(arguments: [SIGINT, SIGTERM])
    func `what a tracker sends is seen on the page and in the funnel`(signal: Int32) async throws {
        let server = try await DevProcess.start(in: directory)
        // As the lines that it prints say.
        let line = try #require(server.command.output.firstMatch(of: /URL\(string: "(\S+)"\)!, writeKey: "(\w+)"/))
        let sink = EventSink.http(
            HTTPSinkConfiguration(url: try #require(URL(string: String(line.1))), writeKey: String(line.2))
        )
        let tracker = Tracker(
            source: "app://com.example.shop",
            identity: .memory(Identity(installID: "phone-of-anna")),
            sink: sink
        )
        tracker.track(EventDraft(type: "screen_view", screen: "home", transition: "root"))
        tracker.track(
            EventDraft(
                type: "screen_view",
                screen: "paywall",
                previousScreen: "home",
                transition: "present",
                presentationID: "p1",
                paywallSource: "home"
            )
        )
        tracker.track(EventDraft(type: "purchase", presentationID: "p1", paywallSource: "home"))
        await tracker.flush()
        try await server.shows("3 events since the start, 0 with something wrong")
        let page = try await server.live("?install=phone-of-anna")
        for part in [
            "<b><bdi>purchase</bdi></b>", "← <bdi>home</bdi>", "<i><bdi>present</bdi></i>", "from <bdi>home</bdi>",
            "presentation <bdi>p1</bdi>", "home-to-purchase: <bdi>bought</bdi>", "sequence 2",
            "&quot;install_id&quot;: &quot;phone-of-anna&quot;",
        ] {
            #expect(page.contains(part), "\(part)")
        }
        // The newest first.
        let order = try [">purchase<", "← <bdi>home<", ">root<"].map { try #require(page.range(of: $0)).lowerBound }
        #expect(order == order.sorted())
        try await server.shows("<li><span><bdi>bought</bdi></span> <b>1</b></li>")
        try await server.client.wait(for: "funnels/home-to-purchase") { status, body in
            status == 200 && body.contains("<strong>100.0%</strong>")
        }
        _ = await tracker.shutdown(deadline: .seconds(5))
        await sink.shutdown()
        server.command.send(signal)
        let outcome = try await server.command.end()
        #expect(outcome.status == 0 && !outcome.isKilled && outcome.errors.isEmpty, "\(outcome.errors)")
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: directory.path).filter { $0.hasPrefix("flow-") } == []
        )
    }

    @Test func `people of the demo are seen as they use the app`() async throws {
        let server = try await DevProcess.start(in: directory)
        let people = try Command(
            "funnel-demo",
            ["--to", "\(server.client.events)", "--people", "20", "--funnels", "config/funnels.yaml"],
            in: directory
        )
        try await server.shows("home-to-purchase: <bdi>home</bdi>", "?type=screen_view")
        try await server.shows("app://com.example.flow-funnels-demo")
        people.send(SIGTERM)
        #expect(try await people.end().status == 128 + SIGTERM)
        let refused = try await Command("funnel-demo", ["--to", "nowhere"], in: directory).end()
        #expect(refused.status == 64 && refused.errors.contains("--to"))
    }

    @Test func `what is wrong is said where the event is, from the collector to the dead letters`() async throws {
        try directory.write("settings\n", to: "screens.txt")
        let server = try await DevProcess.start(["--screens", "screens.txt"], in: directory)
        try await server.post([
            DevProcess.event(0, screen: "home"), DevProcess.event(1, screen: "settings"),
            DevProcess.event(3, screen: "hoem"), DevProcess.event(4, screen: "paywall"),
            DevProcess.event(5, type: "purchase"),
        ])
        _ = try await server.client.post(#"[{"specversion":"1.0","id":"no-source"}]"#, secret: "anything")
        _ = try await server.client.post("[{", secret: "anything")
        // What goes around the collector is refused by the consumer.
        let kafka = try #require(server.command.output.firstMatch(of: /Kafka +(\S+), topic app-events/)?.1)
        let producer = try Producer(configuration: KafkaConfiguration(bootstrapServers: String(kafka)))
        for result in await producer.send([ProducerMessage(value: Array("not JSON".utf8))], to: "app-events") {
            _ = try result.get()
        }
        await producer.close(within: patience)
        for text in [
            "sequence 2 is missing", "no funnel and no list of known screens names &#39;hoem&#39;",
            "<b>no source</b>", "<b>no presentation</b>", "<b>rejected</b> <bdi>missing_field: source: required",
            "<b>request refused</b> <bdi>400: the body is not JSON", "<b>dead letter</b> <bdi>not_json",
        ] {
            try await server.shows(text, "?wrong=1")
        }
        let wrong = try await server.live("?wrong=1")
        #expect(!wrong.contains("settings</bdi>"))
        #expect(wrong.contains("8 events since the start, 6 with something wrong"))
        #expect(try await server.live("?type=purchase").components(separatedBy: "class=\"event").count == 2)
        #expect(try await server.live("?install=nobody").contains("No events of this kind yet."))
        let quality = try Report(try await server.client.get("api/v1/funnels").body).quality
        #expect(quality.events == 5 && quality.dead_letters == 1)
    }

    @Test func `beyond loopback, the page and the app need the key of this start`() async throws {
        let server = try await DevProcess.start(listen: "0.0.0.0:0", in: directory)
        let key = String(try #require(server.command.output.firstMatch(of: /\/live\?key=(\w{24})\n/)?.1))
        #expect(server.command.output.contains("writeKey: \"\(key)\""))
        // A QR code.
        #expect(server.command.output.contains("▀") && server.command.output.contains("█"))
        let base = "http://127.0.0.1:\(try #require(server.client.address.port))"
        let curl = ["/usr/bin/env", "curl", "--silent", "--output", "/dev/null", "--write-out", "%{http_code}"]
        let jar = directory.file("cookies")
        let event = ["--header", "Content-Type: application/cloudevents-batch+json", "--data", "[]"]
        let statuses = try await onThread {
            try [
                ["\(base)/live"], ["\(base)/"], ["\(base)/live/events"], ["\(base)/live?key=wrong"],
                ["--cookie", "funnel_dev_key=wrong", "\(base)/live"], ["--user", "me:\(key)", "\(base)/live"],
                ["--location", "--cookie-jar", jar, "\(base)/live?key=\(key)"], ["--cookie", jar, "\(base)/"],
                event + ["--header", "Authorization: Bearer anything", "\(base)/v1/events"],
                event + ["--header", "Authorization: Bearer \(key)", "\(base)/v1/events"],
            ].map { try run(curl + $0) }
        }
        #expect(statuses == ["401", "401", "401", "401", "401", "200", "200", "200", "401", "200"])
        let other = try await DevProcess.start(listen: "0.0.0.0:0", in: directory)
        #expect(!other.command.output.contains(key))
    }

    @Test func `a mistake ends it with the code of other commands`() async throws {
        try DevProcess.configure(directory)
        try directory.write("funnels: 3\n", to: "bad.yaml")
        for (arguments, status, part) in [
            (["--funnels", "none.yaml"], 78, "--funnels or FUNNELS_PATH"),
            (["--funnels", "bad.yaml"], 78, "bad.yaml:1"),
            (["--listen", "8080"], 64, "HOST:PORT"), (["--screens", "none.txt"], 66, "--screens none.txt"),
            (["--topic", "a b"], 64, "topic"),
        ] as [([String], Int32, String)] {
            expect(try await Command("funnel-dev", arguments, in: directory).end(), status, saying: part)
        }
        let taken = try await DevProcess.start(in: directory)
        let port = try #require(taken.client.address.port)
        let second = try Command("funnel-dev", ["--listen", "127.0.0.1:\(port)"], in: directory)
        expect(try await second.end(), 69, saying: "--listen")
    }

    /// With `DEV_EVENTS=1000000` it takes a minute.
    @Test func `many events fill neither the memory nor the broker, and all count`() async throws {
        let count = ProcessInfo.processInfo.environment["DEV_EVENTS"].flatMap { Int($0) } ?? 40_000
        let server = try await DevProcess.start(in: directory)
        let url = try #require(URL(string: "\(server.client.address)/live/events"))
        // A page that reads along.
        let reading = Task { try await URLSession.shared.data(from: url) }
        defer { reading.cancel() }
        let sink = EventSink.http(HTTPSinkConfiguration(url: server.client.events, writeKey: "x"))
        let size = 500
        try await withThrowingTaskGroup(of: Void.self) { tasks in
            for worker in 0..<4 {
                tasks.addTask {
                    for first in stride(from: worker * size, to: count, by: 4 * size) {
                        let events = try (first..<min(count, first + size)).map { number in
                            try EncodedEvent(
                                DevProcess.event(
                                    Int64(number % 20),
                                    install: "install-\(number / 20)",
                                    screen: number % 20 == 0 ? "home" : "paywall"
                                )
                            )
                        }
                        let outcomes = await sink.submit(events).outcomes()
                        #expect(outcomes.allSatisfy { $0 == .delivered })
                    }
                }
            }
            try await tasks.waitForAll()
        }
        try await server.client.wait(for: "api/v1/funnels") { _, body in
            (try? Report(body))?.quality.events == count
        }
        let report = try Report(try await server.client.get("api/v1/funnels").body)
        #expect(report.quality.dead_letters == 0 && report.quality.late == 0)
        #expect(report.funnels.first?.steps.map(\.count) == [count / 20, count / 20, 0])
        #if os(Linux)
        let status = try String(contentsOfFile: "/proc/\(server.command.processID)/status", encoding: .utf8)
        let peak = try #require(status.firstMatch(of: /VmHWM:\s+(\d+) kB/).flatMap { Int($0.1) })
        #expect(peak < 200 * 1024, "\(peak) KiB")
        #endif
        await sink.shutdown()
    }
}
