import FlowEventTestSupport
import FlowEvents
import FunnelTestSupport
import Testing

@testable import Funnels

/// Compares the counts of missing events with those of a brute-force oracle.
@Suite struct CompletenessTests {
    private static let reasons = [
        "queue_full", "expired", "not_stored", "rejected_too_large", "invalid_field", "damaged", "of_tomorrow",
    ]

    private func funnels() throws -> [Funnel] {
        [try Funnel(name: "f", window: .seconds(60), steps: [Step(name: "a", event: "a")])]
    }

    private func event(_ install: Int, _ sequence: Int64?, _ random: inout RandomFunnels, tells: Bool) -> Event {
        var event = Event(
            id: "\(install)-\(sequence.map(String.init) ?? "\(random.generator.next())")",
            source: "app://a",
            // Most events match no step.
            type: random.generator.pick(["a", "b", "c"]),
            time: Timestamp(milliseconds: 1_772_323_200_000 + (sequence ?? 0) % 1_000_000 * 1000),
            installID: "install-\(install)",
            sequence: sequence
        )
        if tells {
            event.type = "events_dropped"
            event.properties = [
                "reason": .string(random.generator.pick(Self.reasons)),
                "count": .number(Double(random.generator.next() % 5)),
            ]
        }
        return event
    }

    /// Events of some installs: with gaps in their numbers, notices for some gaps, and repeats, in random order.
    private func stream(_ random: inout RandomFunnels) -> [Event] {
        var events: [Event] = []
        for install in 0..<5 {
            let first = Int64(random.generator.next() % 1000)
            for number in first..<first + 60 where !random.generator.chance(20) {
                let tells = random.generator.chance(8)
                events.append(event(install, random.generator.chance(5) ? nil : number, &random, tells: tells))
            }
        }
        // A forged number, far from the others or at the edge of what is believed.
        if random.generator.chance(30) {
            let number: Int64 = random.generator.pick([500_000, 1_000_500, 4_294_967_295, 9_007_199_254_740_991])
            events.append(event(0, number, &random, tells: false))
        }
        for event in events where random.generator.chance(30) { events.append(event) }
        // The events are nearly in order, as in a partition, or in random order.
        if random.generator.chance(50) {
            events.shuffle(using: &random.generator)
        } else {
            for index in events.indices.dropLast() where random.generator.chance(20) { events.swapAt(index, index + 1) }
        }
        return events
    }

    @Test(arguments: Seeds.upTo(300))
    func `any order, repetition, batching and lateness gives what the brute force gives`(seed: UInt64) throws {
        var random = RandomFunnels(seed: seed)
        let stream = stream(&random)
        // The numbers of late events count, too. Those of this lateness are some out of order.
        var topic = try CountedTopic(
            funnels: try funnels(),
            bounds: FunnelBounds(allowedLateness: random.generator.pick([0, 10_000, .max]))
        )
        var oracle = CompletenessOracle()
        for event in stream {
            try topic.insert(event)
            oracle.add(event)
            if random.generator.chance(10) { try topic.commit() }
            if random.generator.chance(10) {
                try topic.commit()
                try topic.restart()
                #expect(try topic.quality().completeness == oracle.sum, "seed \(seed)")
            }
        }
        try topic.commit()
        #expect(try topic.quality().completeness == oracle.sum, "seed \(seed)")
        #expect(oracle.sum.missing > 0, "seed \(seed): the test has gaps")
    }

    @Test(arguments: Seeds.upTo(100))
    func `two consumers of one install count its numbers together`(seed: UInt64) throws {
        var random = RandomFunnels(seed: seed)
        let stream = stream(&random)
        var topic = try CountedTopic(funnels: try funnels(), consumerCount: 2)
        var oracle = CompletenessOracle()
        for event in stream {
            oracle.add(event)
            // Both consumers read some events, as after a rebalance.
            let both = random.generator.chance(20)
            let first = Int(random.generator.next() % 2)
            for consumer in both ? [0, 1] : [first] {
                try topic.insert(FunnelOracle.Record(event, partition: Int32(consumer)))
                if random.generator.chance(15) { try topic.commit(consumer) }
            }
        }
        for consumer in 0..<2 { try topic.commit(consumer) }
        #expect(try topic.quality().completeness == oracle.sum, "seed \(seed)")
    }

    @Test func `one forged number makes no billions of missing events`() throws {
        var random = RandomFunnels(seed: 1)
        var topic = try CountedTopic(funnels: try funnels())
        for (install, number) in [(0, 0), (0, 1), (0, 4_294_967_295), (1, 5), (1, 7)] as [(Int, Int64)] {
            try topic.insert(event(install, number, &random, tells: false))
            try topic.commit()
        }
        #expect(try topic.quality().completeness == Completeness(expected: 3, missing: 1, unchecked: 1))
    }

    @Test func `an event that matches nothing and has no number leaves no trace`() throws {
        var random = RandomFunnels(seed: 1)
        var engine = FunnelEngine(funnels: try funnels())
        var event = event(0, nil, &random, tells: false)
        event.type = "b"
        EventFields.with(event, fields: engine.fields) { engine.insert($0, partition: 0) }
        let batch = try engine.count { missing in
            Issue.record("asks for \(missing)")
            return []
        }
        #expect(batch.writes.isEmpty)
    }
}
