import EventTracking
import EventTrackingTestKit
import FlowEvents
import Testing

@Suite struct IDGeneratorTests {
    @Test func `many threads never get the same UUID`() async {
        let ids = IDGenerator.uuidV7(random: SeededRandom(seed: 1))
        let made = await withTaskGroup(of: [String].self) { group in
            for _ in 0..<8 {
                group.addTask { (0..<2000).map { _ in ids(at: Timestamp(milliseconds: 1)) } }
            }
            return await group.reduce(into: Set<String>()) { $0.formUnion($1) }
        }
        #expect(made.count == 16_000)
    }

    @Test func `generators of the system's random bits never make the same UUID`() {
        let moment = Timestamp(milliseconds: 1)
        let made = (0..<100).flatMap { _ in
            let ids = IDGenerator.uuidV7()
            return (0..<100).map { _ in ids(at: moment) }
        }
        #expect(Set(made).count == 10_000)
    }

    @Test func `counting ids are known in advance`() {
        let ids = IDGenerator.counting("event")
        #expect([ids(at: .now), ids(at: .now)] == ["event-1", "event-2"])
    }
}
