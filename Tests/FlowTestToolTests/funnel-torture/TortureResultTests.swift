import FlowEvents
import Testing
import FunnelTortureSupport

@Suite struct TortureResultTests {
    private func result(audit: Audit, differences: Int = 0) -> TortureResult {
        TortureResult(
            seed: 7,
            duration: .seconds(30),
            diskFilling: "RLIMIT_FSIZE",
            faults: [.appKills: 12, .fullDisks: 3],
            runs: 13,
            audit: audit,
            differences: differences
        )
    }

    @Test func `the table has a row for each number, in columns`() {
        let table = result(audit: Audit(journals: [], records: []), differences: 2).table
        let rows = table.split(separator: "\n")
        #expect(rows.first == "seed                             7")
        #expect(rows.contains("app kills                        12"))
        #expect(rows.contains("disk-full episodes               3 (RLIMIT_FSIZE)"))
        #expect(rows.contains("lost without a reason            0"))
        #expect(rows.last == "differences to the brute force   2")
    }

    @Test func `a run is survived when it tracked something, lost nothing and counted right`() throws {
        var journal = Journal(run: "r", phone: 0, isSteady: true)
        let event = Event(
            id: "1",
            source: "app://torture",
            type: "purchase",
            time: Timestamp(milliseconds: 1_800_000_000_000),
            installID: "i",
            sequence: 0,
            properties: ["run": "r", "n": 1]
        )
        let records = [Audit.Record(event: event, value: try event.encoded())]
        #expect(!result(audit: Audit(journals: [journal], records: records)).isSurvived)
        journal.stored = [Journal.Stored(numbers: 1...1, dropped: 0)]
        #expect(result(audit: Audit(journals: [journal], records: records)).isSurvived)
        #expect(!result(audit: Audit(journals: [journal], records: [])).isSurvived)
        #expect(!result(audit: Audit(journals: [journal], records: records), differences: 1).isSurvived)
    }
}
