import FlowEventTestSupport
import RDKafka
import FunnelPostgresTestSupport
import Testing

@testable import funnel_chaos

@Suite struct TormentPlanTests {
    private static let shared = TormentPlan.Scene(
        consumers: 3,
        places: 5,
        brokers: 3,
        partitions: 12,
        hasServer: true,
        sessionTimeout: 3500
    )
    private static let alone = TormentPlan.Scene(
        consumers: 1,
        places: 1,
        brokers: 3,
        partitions: 12,
        hasServer: false,
        sessionTimeout: 3500
    )

    @Test func `the same seed is the same plan, and another is another`() {
        func plan(_ seed: UInt64) -> [TormentPlan.Entry] {
            TormentPlan(seed: seed, length: 60_000, scene: Self.shared).entries
        }
        #expect(plan(1) == plan(1))
        #expect(plan(1) != plan(2))
    }

    @Test(arguments: 1...50 as ClosedRange<UInt64>)
    func `half a minute has every kind of torment`(seed: UInt64) {
        let kinds = TormentPlan(seed: seed, length: 30_000, scene: Self.shared).entries.compactMap(\.torment.kind)
        #expect(Set(kinds) == Set(Torment.Kind.allCases))
    }

    @Test(arguments: 1...50 as ClosedRange<UInt64>)
    func `a store of one consumer is spared what needs more`(seed: UInt64) {
        let kinds = TormentPlan(seed: seed, length: 30_000, scene: Self.alone).entries.compactMap(\.torment.kind)
        #expect(
            Set(kinds) == [.kill, .pause, .brokerCut, .refusal, .delay, .move, .widening],
            "no store cuts, rivals or changes"
        )
    }

    @Test(arguments: [Self.shared, Self.alone], Seeds.upTo(100))
    func `only what is there is tormented, and all of it is well again in the end`(
        scene: TormentPlan.Scene,
        seed: UInt64
    ) {
        let length = 120_000
        let plan = TormentPlan(seed: seed, length: length, scene: scene)
        var running = Set(0..<scene.consumers)
        var (paused, slow, down) = (Set<Int>(), Set<Int>(), Set<Int?>())
        var (isHeld, isStopped, isWide) = (false, false, false)
        var last = 0
        for entry in plan.entries {
            #expect(last <= entry.at && entry.at <= length)
            last = entry.at
            switch entry.torment {
            case .kill(let place), .retire(let place):
                #expect(!paused.contains(place) && running.remove(place) != nil)
            case .start(let place): #expect(place < scene.places && running.insert(place).inserted)
            case .pause(let place): #expect(running.contains(place) && paused.insert(place).inserted)
            case .resume(let place): #expect(paused.remove(place) != nil)
            case .takeDown(let broker): #expect(down.isEmpty && down.insert(broker).inserted)
            case .bringUp(let broker): #expect(down.remove(broker) != nil)
            case .delay(let broker, 0): #expect(slow.remove(broker) != nil)
            case .delay(let broker, _): #expect(slow.insert(broker).inserted)
            case .cut(.hold):
                #expect(!isHeld && !isStopped)
                isHeld = true
            case .release:
                #expect(isHeld)
                isHeld = false
            case .cut: #expect(!isHeld && !isStopped)
            case .stopStore:
                #expect(!isHeld && !isStopped)
                isStopped = true
            case .startStore:
                #expect(isStopped)
                isStopped = false
            case .widenTopic: isWide = true
            case .moveCoordinator(let broker), .moveLeader(_, let broker):
                #expect((1...scene.brokers).contains(broker))
            case .rival, .refuse: break
            }
        }
        #expect(!running.isEmpty && paused.isEmpty && slow.isEmpty && down.isEmpty, "seed \(seed)")
        #expect(!isHeld && !isStopped && isWide, "seed \(seed)")
    }

    @Test func `no time is no torment`() {
        #expect(TormentPlan(seed: 1, length: 0, scene: Self.shared).entries.isEmpty)
    }
}
