import FlowEventTestSupport
import FlowEvents
import FunnelTestSupport
import Testing

@testable import Funnels

@Suite struct InstallStateTests {
    /// The row of an install with random events; `nil` where no event matches.
    private func row(of funnels: [Funnel], _ random: inout RandomFunnels) throws -> InstallWrite? {
        var engine = FunnelEngine(funnels: funnels, timeZones: .random)
        for event in random.events(count: 20, installs: 1) {
            EventFields.with(event, fields: engine.fields) { engine.insert($0, partition: 0) }
        }
        return try engine.count { _ in [] }.writes.first
    }

    @Test(arguments: Seeds.upTo(120))
    func `a damaged row is an error or another state, never a crash`(seed: UInt64) throws {
        var random = RandomFunnels(seed: seed)
        random.hasAllKeys = seed >= 60
        let funnels = try random.funnels()
        guard let row = try row(of: funnels, &random) else { return }
        var state = InstallState(FunnelMatcher(funnels: funnels))
        try row.state.withUnsafeBytes { try state.decode($0) }
        #expect(state.encoded() == row.state, "seed \(seed)")
        for _ in 0..<50 {
            var bytes = row.state
            if random.generator.chance(30) { bytes.removeLast(Int(random.generator.next() % UInt64(bytes.count))) }
            for _ in 0..<2 where !bytes.isEmpty {
                bytes[Int(random.generator.next() % UInt64(bytes.count))] = UInt8(
                    truncatingIfNeeded: random.generator.next()
                )
            }
            guard (try? bytes.withUnsafeBytes({ try state.decode($0) })) != nil else { continue }
            let rules = CountingRules(funnels: funnels, bounds: FunnelBounds(), timeZones: .random)
            let days = state.daysChanged(by: state.evidence, rules)
            state.updateOutcomes(rules, days: days)
            var changes = SummaryChanges(rules.kernel)
            changes.replace([], by: state.results.counting()[...], of: state)
            _ = changes.deltas()
        }
    }

    @Test func `what was removed, and that it was capped, is read as it was written`() throws {
        let matcher = FunnelMatcher(
            funnels: try Array(
                repeating: Funnel(name: "f", window: .seconds(1), steps: [Step(name: "a", event: "a")]),
                count: 2
            )
        )
        var state = InstallState(matcher)
        state.removed.horizon = 1_772_323_200_000
        for day in [3, 1, 3, 2, 3] as [Int32] { state.removed.days.add(day: Day(number: day), bytes: 10) }
        #expect(
            state.removed.days == [1, 2, 3].map { DayCount(day: $0, count: $0 == 3 ? 3 : 1, bytes: $0 == 3 ? 30 : 10) }
        )
        var read = InstallState(matcher)
        try state.encoded().withUnsafeBytes { try read.decode($0) }
        #expect(read.removed == state.removed && !read.isCapped)
        state.cap()
        try state.encoded().withUnsafeBytes { try read.decode($0) }
        #expect(read.isCapped && read.removed == RemovedEvidence())
    }

    @Test func `the longest values of a row are read as they were written`() throws {
        let steps = (1...Funnel.maximumStepCount).map { Step(name: "step \($0)", event: "e") }
        let funnel = try Funnel(
            name: "f",
            count: .sessions,
            window: .seconds(1),
            breakdown: "screen",
            steps: steps
        )
        var state = InstallState(FunnelMatcher(funnels: [funnel]))
        let texts = (0..<200).map { state.strings.intern(Array("text \($0)".utf8)) }
        let longest = state.strings.intern([UInt8](repeating: UInt8(ascii: "x"), count: 70_000))
        let text = [UInt8](repeating: UInt8(ascii: "x"), count: 70_000)
        let content = text.withUnsafeBytes { text in
            [FieldValue.string(text)].withUnsafeBufferPointer {
                state.contents.intern(type: 0, $0, [FunnelMatch(steps: .max)], into: &state.strings)
            }
        }
        let longID = [UInt8](repeating: UInt8(ascii: "i"), count: 70_000).withUnsafeBytes { state.idTexts.id(of: $0) }
        let times = [InstallState.times.lowerBound, InstallState.times.upperBound]
        state.evidence = zip(times + times.suffix(1), [Int64.max, .min, .max]).map { time, sequence in
            Evidence(
                time: time,
                sequence: sequence,
                id: sequence > 0 ? longID : EventID(high: .max, low: .max),
                source: texts[199],
                session: longest,
                content: content
            )
        }
        let days = [InstallState.days.lowerBound, InstallState.days.upperBound]
        state.results = (texts + [longest]).flatMap { actor in
            days.map { day in
                DayOutcome(
                    owner: DayOutcome.Owner(funnel: 0, actor: actor, value: longest),
                    day: Day(number: day),
                    Outcome(
                        steps: .max,
                        rank: Funnel.maximumStepCount,
                        ending: .complete(entries: Outcome.greatestEntryCount)
                    ),
                    times: [Int64](repeating: Funnel.maximumWindow, count: Funnel.maximumStepCount - 1),
                    (0..<Funnel.maximumStepCount).map { step in
                        OutcomeDetail(subject: .sum(step: step), text: longest, amount: -Int64(Sum.maximumAmount))
                    } + [OutcomeDetail(subject: .next(rank: Funnel.maximumStepCount), text: longest)],
                    isOutOfOrder: true,
                    in: &state.details
                )
            }
        }
        let contents = InstallContents(state, funnels: [funnel])
        var read = InstallState(FunnelMatcher(funnels: [funnel]))
        try state.encoded().withUnsafeBytes { try read.decode($0) }
        // Not as sets: these hash every byte of half a gigabyte, which takes eight seconds.
        let results = inOrder(InstallContents(read, funnels: [funnel]).results)
        #expect(results == inOrder(contents.results))
        #expect(InstallContents(read, funnels: [funnel]).events == contents.events)
    }

    private func inOrder(_ results: [InstallResult]) -> [InstallResult] {
        results.sorted { first, second in
            if first.day != second.day { return first.day < second.day }
            return (first.actor ?? []).lexicographicallyPrecedes(second.actor ?? [])
        }
    }

    @Test func `many outcomes of a day are replaced by those of the events that are left`() throws {
        let funnel = try Funnel(name: "f", count: .sessions, window: .seconds(1), steps: [Step(name: "s", event: "e")])
        let rules = CountingRules(funnels: [funnel], bounds: FunnelBounds(), timeZones: .random)
        var state = InstallState(rules.matcher)
        for actor in 0..<1000 {
            let session = state.strings.intern(Array("session \(actor)".utf8))
            for day in [3, 4, 5] as [Int32] {
                let owner = DayOutcome.Owner(funnel: 0, actor: session, value: nil)
                state.results.append(
                    DayOutcome(owner: owner, day: Day(number: day), Outcome(steps: 1, rank: 1), details: 0)
                )
            }
        }
        let rest = state.results.filter { $0.day != Day(number: 4) }
        state.updateOutcomes(rules, days: [Day(number: 4)...Day(number: 4)])
        #expect(state.details.areEqual(state.results[...], rest[...]))
    }
}
