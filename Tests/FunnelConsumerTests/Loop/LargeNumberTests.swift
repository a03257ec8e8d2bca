import FlowEvents
import FlowTestSupport
import FunnelStore
import FunnelStoreTestSupport
import FunnelTestSupport
import Funnels
import Testing

/// Ids that are sent as JSON numbers, of more digits than a double has.
@Suite(.waits, .timeLimit(.minutes(10))) struct LargeNumberTests {
    private let cluster: Cluster

    init() throws { cluster = try Cluster() }

    private func record(_ number: Int, account: String) -> String {
        #"{"specversion":"1.0","id":"\#(number)","source":"a","type":"buy","time":"2026-03-01T00:00:00Z","#
            + #""data":{"install_id":"i","properties":{"account":\#(account),"price":1}}}"#
    }

    private func funnel(_ name: String, _ step: Step) throws -> Funnel {
        let count = Counting.by("properties.account")
        return try Funnel(
            name: name,
            count: count,
            window: .seconds(1),
            breakdown: "properties.account",
            steps: [step]
        )
    }

    @Test(arguments: ["7385295279312694", "184467440737095515", "123456789012345678901234567"])
    func `each of a hundred neighbors is an actor, a breakdown value, a unit, and a value of its own`(
        prefix: String
    ) async throws {
        let accounts = (0..<100).map { "\(prefix)\($0 / 10)\($0 % 10)" }
        let step = Step(name: "buy", event: "buy")
        let known = try #require(PropertyNumber(decimal: accounts[42]))
        let funnels = [
            try funnel("all", step.summing("properties.price", unit: "properties.account")),
            try funnel("one", step.where("properties.account", .is(.number(known)))),
            try funnel("above", step.where("properties.account", .greaterThan(known))),
            try funnel("up-to", step.where("properties.account", .atMost(known))),
            try funnel("others", step.where("properties.account", .isNot(.number(known)))),
        ]
        let store = TemporaryStore()
        // Twice, the second time in another form, and beside what the store has kept of the first time.
        for (round, form) in ["", ".0"].enumerated() {
            let records = accounts.enumerated().map { record(round * 100 + $0, account: $1 + form) }
            try await cluster.publish(records.map { message($0) })
            try await cluster.count(funnels, into: store)
        }
        let results = try store.report().funnels
        #expect(results.map { $0.steps[0].count } == [100, 1, 57, 43, 99])
        #expect(results[0].breakdown?.map(\.value.description) == accounts)
        #expect(results[0].steps[0].sums?.units.map(\.unit) == accounts)
    }

    @Test func `a number that no double can hold is absent`() async throws {
        try await cluster.publish(["1e400", "1", "-1e999"].enumerated().map { message(record($0, account: $1)) })
        let step = Step(name: "buy", event: "buy")
        let absent = try Funnel(
            name: "absent",
            window: .seconds(1),
            breakdown: "properties.account",
            steps: [step.where("properties.account", .isAbsent)]
        )
        let store = TemporaryStore()
        try await cluster.count([try funnel("all", step), absent], into: store)
        let results = try store.report().funnels
        #expect(results[0].breakdown?.map(\.value) == ["1"])
        #expect(results[1].steps[0].count == 1 && results[1].breakdown?.map(\.value) == ["(none)"])
    }
}
