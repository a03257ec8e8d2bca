import FlowEventTestSupport
import Testing
import FunnelTortureSupport

@Suite struct ScheduleTests {
    @Test(arguments: Seeds.upTo(200))
    func `every fault has its place, in order, and is over before the end`(seed: UInt64) {
        let schedule = Schedule(seed: seed, duration: .seconds(20))
        for kind in Fault.Kind.allCases { #expect(schedule.count(kind) > 0, "\(kind), seed \(seed)") }
        #expect(schedule.entries.map(\.at) == schedule.entries.map(\.at).sorted())
        #expect(schedule.entries.allSatisfy { $0.at + $0.fault.length < .seconds(20) })
    }

    @Test func `a seed is a schedule, another seed another`() {
        let schedule = Schedule(seed: 1, duration: .seconds(60))
        #expect(Schedule(seed: 1, duration: .seconds(60)).entries == schedule.entries)
        #expect(Schedule(seed: 2, duration: .seconds(60)).entries != schedule.entries)
    }

    @Test func `a longer run begins as a shorter one does`() {
        let short = Schedule(seed: 5, duration: .seconds(30))
        let long = Schedule(seed: 5, duration: .seconds(90))
        #expect(short.launches == long.launches)
        #expect(Set(short.entries).isSubset(of: long.entries))
    }

    @Test(arguments: 0..<50 as Range<UInt64>)
    func `nothing is hit twice at a time by one kind of fault`(seed: UInt64) {
        let schedule = Schedule(seed: seed, duration: .seconds(120))
        let lanes = Dictionary(grouping: schedule.entries) { "\($0.fault.kind) \($0.fault.slot ?? -1)" }
        for entries in lanes.values {
            for (entry, next) in zip(entries, entries.dropFirst()) {
                #expect(entry.at + entry.fault.length <= next.at, "seed \(seed)")
            }
        }
    }

    @Test(arguments: 0..<50 as Range<UInt64>)
    func `an app stays on the phones of its slot`(seed: UInt64) {
        let schedule = Schedule(seed: seed, duration: .seconds(120))
        for case .killApp(let slot, _, let next) in schedule.entries.map(\.fault) {
            #expect(next.phone / schedule.phonesPerSlot == slot)
        }
    }
}

extension Fault {
    /// The slot that it hits; `nil` where it hits all.
    fileprivate var slot: Int? {
        switch self {
        case .killApp(let slot, _, _), .runExtension(let slot, _, _), .cutNetwork(let slot, _, _),
            .fillDisk(let slot, _), .moveClock(let slot, _):
            slot
        case .killCollector, .stopBroker: nil
        }
    }
}
