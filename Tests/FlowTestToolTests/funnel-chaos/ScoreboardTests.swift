import Testing

@testable import funnel_chaos

@Suite struct ScoreboardTests {
    @Test func `numbers stand under each other, the differences last`() {
        let counts = [("events", 12_345), ("kills", 6)]
        let scoreboard = Scoreboard(title: "seed 7", counts: counts, differences: ["a", "b"])
        #expect(scoreboard.table == "seed 7\n\n  12345  events\n      6  kills\n      2  differences\n")
        #expect(!scoreboard.isRight)
        #expect(Scoreboard(title: "", counts: [], differences: []).isRight)
    }
}
