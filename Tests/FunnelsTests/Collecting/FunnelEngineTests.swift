import FlowEventTestSupport
import FlowEvents
import FunnelTestSupport
import Testing

@testable import Funnels

@Suite struct FunnelEngineTests {
    @Test(arguments: Seeds.upTo(400))
    func `any order, repetition and batching gives what the brute force gives`(seed: UInt64) throws {
        var random = RandomFunnels(seed: seed)
        let funnels = try random.funnels()
        let events = random.events(count: 1 + Int(seed % 80), installs: 1 + Int(seed % 4))
        var stream = events
        for event in events where random.generator.chance(30) { stream.append(event) }
        stream.shuffle(using: &random.generator)

        var topic = try CountedTopic(funnels: funnels, installsAtOnce: random.generator.pick([2, 16_384]))
        for event in stream {
            try topic.insert(event)
            if random.generator.chance(20) { try topic.commit() }
            if random.generator.chance(5) { try topic.restart() }
        }
        try topic.commit()

        let oracle = FunnelOracle(funnels: funnels, records: stream.map { FunnelOracle.Record($0) })
        let days: [Day?] = [nil] + ["2026-02-28", "2026-03-01", "2026-03-02", "2026-03-03"].map { Day($0) }
        for _ in 0..<6 {
            let (from, to) = random.days(among: days)
            let found = try FunnelReport.figures(from: topic, funnels: funnels, from: from, to: to)
            let expected = oracle.report(from: from, to: to)
            try #require(
                found == expected,
                "seed \(seed), from \(String(describing: from)) to \(String(describing: to))"
            )
        }
    }

    @Test(arguments: Seeds.upTo(200))
    func `consumers that write the same installs lose nothing and count nothing twice`(seed: UInt64) throws {
        var random = RandomFunnels(seed: seed)
        let funnels = try random.funnels()
        let events = random.events(count: 60, installs: 2)
        // Both consumers read some events, as after a rebalance.
        var streams: [[Event]] = [[], []]
        for event in events {
            let choice = random.generator.next() % 3
            if choice != 1 { streams[0].append(event) }
            if choice != 0 { streams[1].append(event) }
        }
        var bounds = FunnelBounds()
        if seed % 3 > 0 { bounds.eventsPerBlock = random.eventsPerBlock() }
        var topic = try CountedTopic(funnels: funnels, bounds: bounds, consumerCount: 2)
        var waiting = streams.map { $0[...] }
        while waiting.contains(where: { !$0.isEmpty }) {
            let consumer = Int(random.generator.next() % 2)
            for event in waiting[consumer].prefix(7) {
                try topic.insert(FunnelOracle.Record(event, partition: Int32(consumer)))
            }
            waiting[consumer] = waiting[consumer].dropFirst(7)
            try topic.commit(consumer)
        }
        let oracle = FunnelOracle(funnels: funnels, records: (streams[0] + streams[1]).map { FunnelOracle.Record($0) })
        let found = try FunnelReport.figures(from: topic, funnels: funnels)
        let expected = oracle.report()
        #expect(found.funnels == expected.funnels, "seed \(seed)")
        #expect(found.quality.duplicates == expected.quality.duplicates, "seed \(seed)")
        #expect(found.quality.completeness == expected.quality.completeness, "seed \(seed)")
    }

    @Test func `of two events with one name the first to arrive counts`() throws {
        let funnel = try Funnel(
            name: "f",
            window: .seconds(60),
            steps: [
                Step(name: "home", event: "screen_view", where: ["screen": "home"]),
                Step(name: "paywall", event: "screen_view", where: ["screen": "paywall"]),
            ]
        )
        var topic = try CountedTopic(funnels: [funnel])
        for event in [screenView("home", "i", id: "1"), screenView("paywall", "i", at: 10, id: "1")] {
            try topic.insert(event)
        }
        try topic.commit()
        try topic.insert(screenView("paywall", "i", at: 20, id: "1"))
        try topic.commit()
        let report = try FunnelReport.figures(from: topic, funnels: [funnel])
        #expect(report.funnels[0].steps.map(\.count) == [1, 0])
        #expect(report.quality.duplicates == 2)
    }

    @Test func `a session whose id is a UUID of zeros, or a text, is a session, and none is none`() throws {
        let funnel = try Funnel(
            name: "f",
            count: .sessions,
            window: .seconds(60),
            steps: [
                Step(name: "home", event: "screen_view", where: ["screen": "home"]),
                Step(name: "paywall", event: "screen_view", where: ["screen": "paywall"]),
            ]
        )
        var time: Int64 = 0
        var events: [Event] = []
        let zeros = "00000000-0000-0000-0000-000000000000"
        for screen in ["home", "paywall"] {
            for session in [zeros, "c1f0a5d2-0000-4000-8000-000000000001", "a text", nil] {
                time += 1
                events.append(
                    Event(
                        id: "\(time)",
                        source: "app://a",
                        type: "screen_view",
                        time: Timestamp(milliseconds: time),
                        installID: zeros,
                        sessionID: session,
                        screen: screen
                    )
                )
            }
        }
        var topic = try CountedTopic(funnels: [funnel])
        for event in events { try topic.insert(event) }
        try topic.commit()
        let report = try FunnelReport.figures(from: topic, funnels: [funnel])
        #expect(report.funnels[0].steps.map(\.count) == [3, 3])
        let oracle = FunnelOracle(funnels: [funnel], records: events.map { FunnelOracle.Record($0) })
        #expect(report == oracle.report())
    }

    @Test func `a state that is damaged is told with its install`() throws {
        let funnel = try Funnel(name: "f", window: .seconds(1), steps: [Step(name: "a", event: "a")])
        var engine = FunnelEngine(funnels: [funnel])
        let event = Event(
            id: "1",
            source: "s",
            type: "a",
            time: Timestamp(milliseconds: 0),
            installID: "install-7"
        )
        EventFields.with(event, fields: engine.fields) { engine.insert($0, partition: 0) }
        let row = StoredInstall(install: Array("install-7".utf8), version: 3, state: [9, 9, 9])
        #expect(throws: DamagedState(install: "install-7")) { try engine.count { _ in [row] } }
    }
}
