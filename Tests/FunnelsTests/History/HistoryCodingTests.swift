import FlowEventTestSupport
import FlowEvents
import FunnelTestSupport
import Testing

@testable import Funnels

@Suite struct HistoryCodingTests {
    @Test func `a damaged history is an error or another state, never a crash`() throws {
        let withHistory = try (0..<60).filter(damageHistory)
        #expect(withHistory.count > 30)
    }

    /// Damages the history of an install. Returns whether it had one.
    private func damageHistory(seed: UInt64) throws -> Bool {
        var random = RandomFunnels(seed: seed)
        let funnels = try random.funnels()
        let events = random.events(count: 80, installs: 1, days: 40).sorted { $0.time < $1.time }
        var bounds = FunnelBounds()
        bounds.eventsPerBlock = random.eventsPerBlock()
        var topic = try CountedTopic(funnels: funnels, bounds: bounds)
        for event in events.dropFirst().dropLast() { try topic.insert(event) }
        try topic.commit()
        guard let row = try topic.rows().first, !row.history.isEmpty else { return false }
        for _ in 0..<60 {
            var damaged = row
            let index = Int(random.generator.next() % UInt64(row.history.count))
            if random.generator.chance(5) {
                damaged.history.remove(at: index)
            } else {
                var bytes = damaged.history[index].state
                if random.generator.chance(30) { bytes.removeLast(Int(random.generator.next() % UInt64(bytes.count))) }
                for _ in 0..<2 where !bytes.isEmpty {
                    let position = Int(random.generator.next() % UInt64(bytes.count))
                    bytes[position] = UInt8(truncatingIfNeeded: random.generator.next())
                }
                damaged.history[index].state = bytes
            }
            var engine = FunnelEngine(funnels: funnels, bounds: bounds)
            for event in [events[79], events[0]] where random.generator.chance(70) {
                EventFields.with(event, fields: engine.fields) { engine.insert($0, partition: 0) }
            }
            _ = try? engine.count { _ in [damaged] }
        }
        return true
    }

    /// If this fails, this build may misread the rows of older builds. Raise the coding version of the state or of the index,
    /// and then update the figure. A change that writes other values in the same form needs no new version.
    @Test func `the form of an install's rows stays the same, as stores keep them`() throws {
        var bounds = FunnelBounds(allowedLateness: 20 * 86_400_000)
        bounds.eventsPerBlock = 2
        var topic = try CountedTopic(funnels: Self.formFunnels(), bounds: bounds, partitionCount: 1)
        for number in 0..<90 {
            var event = screenView(["home", "tour", "paywall"][number % 3], "install", second: Int64(number) * 40_000)
            event.id =
                number % 4 == 0
                ? "an id of more than sixteen bytes, \(number)" : "0193479e-8f8c-7c3a-9d8e-0000000000\(number + 10)"
            event.sessionID = number % 7 == 0 ? nil : "session \(number / 5)"
            event.sequence = Int64(number + number / 20)
            event.properties = [
                "price": .number(Double(number) / 4), "currency": .string(number % 2 == 0 ? "EUR" : "USD"),
            ]
            try topic.insert(event)
            if number % 30 == 29 { try topic.sweep() }
        }
        try topic.commit()
        let row = try #require(try topic.rows().first)
        var hash = Fingerprint()
        for row in [HistoryRow(number: 0, state: row.state)] + row.history {
            hash.combine(UInt64(bitPattern: row.number))
            row.state.withUnsafeBytes { hash.combine($0) }
        }
        #expect(row.history.count > 4)
        #expect(
            "\(row.state.count) bytes, \(row.history.count) rows, \(hash.value)" == "544 bytes, 44 rows, 1515979513"
        )
    }

    /// Funnels with each kind of outcome that a row has.
    private static func formFunnels() throws -> [Funnel] {
        let home = Step(name: "home", event: "screen_view", where: ["screen": "home"])
        let tour = Step(name: "tour", event: "screen_view", where: ["screen": "tour"])
        let paywall = Step(name: "paywall", event: "screen_view", where: ["screen": "paywall"])
        return [
            try Funnel(
                name: "installs",
                window: .seconds(100_000),
                breakdown: Breakdown(list: [
                    Breakdown.Part("screen"), Breakdown.Part("properties.currency", ofStep: "paywall"),
                ]),
                next: NextEvent("screen_view", field: "screen"),
                steps: [
                    home, tour.optional(),
                    paywall.where("properties.price", .lessThan(15)).summing(
                        "properties.price",
                        decimals: 2,
                        unit: "properties.currency"
                    ),
                ]
            ),
            try Funnel(
                name: "sessions",
                count: .sessions,
                entry: .first,
                window: .seconds(200_000),
                exclusions: [Exclusion(event: "screen_view", conditions: [Condition("screen", is: "tour")])],
                steps: [home, paywall]
            ),
        ]
    }

    @Test func `a fingerprint is the same in every process`() {
        var hash = Fingerprint()
        Array("app://com.example.shop".utf8).withUnsafeBytes { hash.combine($0) }
        hash.combine(7)
        #expect(hash.value == 3_776_373_069)
    }

    @Test(arguments: [0, 1, 2, 9, 100])
    func `a search finds each fingerprint of a filter, and no other`(count: Int) throws {
        var generator = SeededGenerator(seed: 1)
        let sorted = Set((0..<count).map { _ in UInt32(truncatingIfNeeded: generator.next()) }).sorted()
        let bytes = FingerprintFilter.encode(sorted)
        bytes.withUnsafeBytes { bytes in
            for fingerprint in sorted {
                #expect(FingerprintFilter.contains(fingerprint, in: bytes))
                let other = fingerprint &+ 1
                #expect(FingerprintFilter.contains(other, in: bytes) == sorted.contains(other))
            }
            #expect(!FingerprintFilter.contains(12345, in: bytes))
        }
        #expect(try bytes.withUnsafeBytes { try FingerprintFilter.decode($0) } == sorted)
    }
}
