import FlowEvents
import Testing
import FunnelTortureSupport

/// That the audit finds what is wrong: without it no run would prove anything.
@Suite struct AuditTests {
    private static let start: Int64 = 1_800_000_000_000

    private func record(
        _ sequence: Int,
        n: Int? = nil,
        run: String = "r",
        install: String = "i",
        time: Int64 = AuditTests.start,
        offset: Int64? = nil,
        dropped: (String, Int)? = nil
    ) throws -> Audit.Record {
        var event = Event(
            id: "\(run)-\(sequence)",
            source: "app://torture",
            type: dropped == nil ? "screen_view" : "events_dropped",
            time: Timestamp(milliseconds: time),
            installID: install,
            sequence: Int64(sequence),
            properties: ["run": .string(run), "at": .number(Double(time))]
        )
        event.deviceTime = offset.map { Timestamp(milliseconds: time - $0) }
        if let n { event.properties["n"] = .number(Double(n)) }
        if let (reason, count) = dropped {
            event.properties = ["reason": .string(reason), "count": .number(Double(count))]
        }
        return Audit.Record(event: event, value: try event.encoded())
    }

    private func journal(_ numbers: ClosedRange<Int>..., dropped: Int = 0, run: String = "r") -> Journal {
        var journal = Journal(run: run, phone: 0, isSteady: true)
        journal.stored = numbers.map { Journal.Stored(numbers: $0, dropped: 0) }
        journal.stored[0].dropped = dropped
        return journal
    }

    @Test func `what is all there is clean, and a repeat is counted`() throws {
        let records = try [record(0, n: 1), record(1, n: 2), record(0, n: 1)]
        let audit = Audit(journals: [journal(1...2)], records: records)
        #expect(audit.isClean)
        #expect(audit.tracked == 2 && audit.arrived == 2 && audit.repeated == 1)
    }

    @Test func `a gap that nobody tells of is a loss`() throws {
        let audit = Audit(journals: [journal(1...3)], records: try [record(0, n: 1), record(2, n: 3)])
        #expect(audit.lost == 1 && !audit.isClean)
    }

    @Test func `an event lost behind all others is found by the journal`() throws {
        let audit = Audit(journals: [journal(1...3)], records: try [record(0, n: 1), record(1, n: 2)])
        #expect(audit.lost == 1)
        #expect(Audit(journals: [journal(1...3)], records: []).lost == 3)
    }

    @Test func `a gap that is told of is a drop with its reason`() throws {
        let records = try [record(0, n: 1), record(3, n: 4), record(4, dropped: ("queue_full", 2))]
        let audit = Audit(journals: [journal(1...4)], records: records)
        #expect(audit.isClean)
        #expect(audit.dropped == ["queue_full": 2])
    }

    @Test func `what was dropped and had arrived is told apart`() throws {
        let records = try [record(0, n: 1), record(1, n: 2), record(2, dropped: ("queue_full", 1))]
        let audit = Audit(journals: [journal(1...2)], records: records)
        #expect(audit.isClean && audit.droppedAndArrived == 1)
    }

    @Test func `what the tracker dropped from memory was never tracked`() throws {
        let records = try [record(3, n: 4), record(4, dropped: ("not_stored", 3))]
        let audit = Audit(journals: [journal(1...4, dropped: 3)], records: records)
        #expect(audit.isClean && audit.tracked == 1)
    }

    @Test func `a repeat with other bytes, a number used twice and a second install are breaches`() throws {
        let other = try record(0, n: 1, time: Self.start + 1)
        let audit = Audit(journals: [journal(1...1)], records: try [record(0, n: 1), other])
        #expect(audit.breaches[.differingRepeat] == 1 && !audit.isClean)
        let twice = try [record(0, n: 1), record(0, n: 1, run: "s")]
        #expect(Audit(journals: [journal(1...1)], records: twice).breaches[.reusedSequence] == 1)
        let installs = try [record(0, n: 1), record(0, n: 1, run: "s", install: "j")]
        let journals = [journal(1...1), journal(1...1, run: "s")]
        #expect(Audit(journals: journals, records: installs).breaches[.newInstall] == 1)
    }

    @Test func `two offsets, a wrong correction and a step back are breaches`() throws {
        let hour: Int64 = 3_600_000
        let offsets = try [record(0, n: 1, offset: hour), record(1, n: 2, offset: 2 * hour)]
        #expect(Audit(journals: [journal(1...2)], records: offsets).breaches[.twoOffsets] == 1)
        var wrong = try record(0, n: 1, offset: hour)
        wrong.event.properties["at"] = .number(Double(Self.start + hour))
        #expect(Audit(journals: [journal(1...1)], records: [wrong]).breaches[.wrongTime] == 1)
        let back = try [record(0, n: 1), record(1, n: 2, time: Self.start - 1)]
        #expect(Audit(journals: [journal(1...2)], records: back).breaches[.disorder] == 1)
    }
}
