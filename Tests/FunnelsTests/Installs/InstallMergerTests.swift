import FlowEventTestSupport
import FlowEvents
import FunnelTestSupport
import Testing

@testable import Funnels

@Suite struct InstallMergerTests {
    /// Counts a stream of events into the row of one install.
    private struct Counter {
        let funnels: [Funnel]
        let eventsPerBlock: Int
        private(set) var row = StoredInstall(install: Array("install-0".utf8), version: 0, state: [])

        mutating func count(_ events: some Collection<Event>) throws {
            var bounds = FunnelBounds()
            bounds.eventsPerBlock = eventsPerBlock
            var engine = FunnelEngine(funnels: funnels, bounds: bounds, timeZones: .random)
            for event in events { EventFields.with(event, fields: engine.fields) { engine.insert($0, partition: 0) } }
            for write in try engine.count({ _ in row.version == 0 ? [] : [row] }).writes {
                var history = Dictionary(uniqueKeysWithValues: row.history.map { ($0.number, $0) })
                for row in write.history { history[row.number] = row.state.isEmpty ? nil : row }
                let rows = history.values.sorted { $0.number < $1.number }
                put(StoredInstall(install: write.install, version: 0, state: write.state, history: rows))
            }
        }

        mutating func put(_ row: StoredInstall) {
            let version = self.row.version + 1
            self.row = row
            self.row.version = version
        }

        func contents() throws -> InstallContents { try InstallContents(row, funnels: funnels) }
    }

    /// Random funnels, and a plan that changes, adds, removes and moves some of them.
    private func randomPlan(_ random: inout RandomFunnels) throws -> (stored: [Funnel], FunnelRebuildPlan) {
        func renamed(_ funnel: Funnel, _ name: String) throws -> Funnel {
            try Funnel(
                name: name,
                count: funnel.count,
                window: funnel.window,
                breakdown: funnel.breakdown,
                steps: funnel.steps
            )
        }
        let old = try random.funnels()
        let new = try random.funnels()
        var file =
            try old.filter { _ in random.generator.chance(70) }
            + new.enumerated().map { try renamed($1, "new-\($0)") }
        file = try file.enumerated().map { place, funnel in
            random.generator.chance(30) ? try renamed(new[place % new.count], funnel.name) : funnel
        }
        file.shuffle(using: &random.generator)
        return (old, try FunnelRebuildPlan(from: old, to: file, names: []))
    }

    @Test(arguments: Seeds.upTo(300))
    func `the row is the one that the new funnels alone would have given, and so it is counted on`(seed: UInt64) throws
    {
        var random = RandomFunnels(seed: seed)
        random.hasAllKeys = seed >= 100
        let (stored, plan) = try randomPlan(&random)
        var bounds = FunnelBounds()
        if seed % 3 > 0 { bounds.eventsPerBlock = random.eventsPerBlock() }
        var events = random.events(count: 1 + Int(seed % 60), installs: 1, days: seed % 2 == 0 ? 3 : 20)
        events += events.filter { _ in random.generator.chance(20) }
        events.shuffle(using: &random.generator)
        let split = Int(random.generator.next() % UInt64(events.count + 1))
        var before = Counter(funnels: stored, eventsPerBlock: bounds.eventsPerBlock)
        var merged = Counter(funnels: plan.funnels, eventsPerBlock: bounds.eventsPerBlock)
        var fresh = Counter(funnels: plan.funnels, eventsPerBlock: bounds.eventsPerBlock)
        try before.count(events[..<split])
        try fresh.count(events[..<split])
        var merger = InstallMerger(plan, isTopicComplete: false, bounds: bounds, timeZones: .random)
        let row = try merger.merge(
            before.row.install,
            stored: before.row.version == 0 ? nil : before.row,
            counted: fresh.row.version == 0 ? nil : fresh.row
        )
        if let row { merged.put(row) }
        for _ in 0..<2 {
            let (found, expected) = (try merged.contents(), try fresh.contents())
            #expect(Set(found.results) == Set(expected.results), "seed \(seed)")
            #expect(found.results.count == expected.results.count, "seed \(seed)")
            #expect(found.events == expected.events, "seed \(seed)")
            try merged.count(events[split...])
            try fresh.count(events[split...])
        }
    }

    @Test(arguments: Seeds.upTo(200))
    func `a funnel that is kept has its old events although the topic has lost them`(seed: UInt64) throws {
        var random = RandomFunnels(seed: seed)
        random.hasAllKeys = seed >= 100
        let (stored, plan) = try randomPlan(&random)
        var bounds = FunnelBounds()
        if seed % 3 > 0 { bounds.eventsPerBlock = random.eventsPerBlock() }
        let events = random.events(count: 40, installs: 1)
        var before = Counter(funnels: stored, eventsPerBlock: bounds.eventsPerBlock)
        var retained = Counter(funnels: plan.funnels, eventsPerBlock: bounds.eventsPerBlock)
        try before.count(events)
        try retained.count(events.suffix(10))
        var merger = InstallMerger(plan, isTopicComplete: false, bounds: bounds, timeZones: .random)
        let merged = try merger.merge(before.row.install, stored: before.row, counted: retained.row)
        let found = try InstallContents(try #require(merged), funnels: plan.funnels)
        let (old, new) = (try before.contents(), try retained.contents())
        for (place, source) in plan.sources.enumerated() {
            func results(_ contents: InstallContents, _ place: Int) -> Set<InstallResult> {
                Set(
                    contents.results.filter { $0.funnel == place }.map { result in
                        var result = result
                        result.funnel = 0
                        return result
                    }
                )
            }
            switch source {
            case .kept(let oldPlace): #expect(results(found, place) == results(old, oldPlace), "seed \(seed)")
            case .counted: #expect(results(found, place) == results(new, place), "seed \(seed)")
            }
        }
    }

    @Test func `a damaged row is named`() throws {
        let funnels = try [Funnel(name: "f", window: .seconds(1), steps: [Step(name: "s", event: "e")])]
        let plan = try FunnelRebuildPlan(from: funnels, to: funnels, names: ["f"])
        var merger = InstallMerger(plan, isTopicComplete: false, timeZones: TimeZoneTables())
        let install = Array("a".utf8)
        let damaged = StoredInstall(install: install, version: 1, state: [9])
        #expect(throws: DamagedState(install: "a")) { try merger.merge(install, stored: damaged, counted: nil) }
        let empty = StoredInstall(install: install, version: 1, state: [])
        #expect(try merger.merge(install, stored: nil, counted: empty) == nil)
    }
}
