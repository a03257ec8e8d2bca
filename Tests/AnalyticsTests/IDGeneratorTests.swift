import Analytics
import AnalyticsTestKit
import Events
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

    @Test func `counting ids are known in advance`() {
        let ids = IDGenerator.counting("event")
        #expect([ids(at: .now), ids(at: .now)] == ["event-1", "event-2"])
    }
}
