import EventTracking
import FunnelCommandSupport
import FlowDemoSimulation
import Testing

@testable import funnel_demo

@Suite struct ReportCheckTests {
    private static func check() -> ReportCheck {
        var result = SimulationResult()
        result.events.tracked = 1200
        return ReportCheck(
            Publication(
                result: result,
                journey: nil,
                forgetfulPhones: 1,
                repeated: 30,
                invalid: 3,
                duration: .seconds(1)
            )
        )
    }

    private static func report(events: Int = 1230, duplicates: Int = 25, late: Int = 0, deadLetters: Int = 3) -> String
    {
        """
        {"funnels":[],"quality":{"events":\(events),"duplicates":\(duplicates),"late":\(late),\
        "dead_letters":\(deadLetters)}}
        """
    }

    @Test func `the check confirms a report that agrees`() throws {
        #expect(
            try Self.check().sentence(for: Self.report()) == """
                Checked: 1,200 events and 30 repeats were published, and 1,230 events are in the report.
                   The funnels use 25 of the repeats, which changed no count. The 3 invalid records are in \
                app-events.dlq.
                """
        )
    }

    @Test(arguments: [
        report(events: 1229), report(events: 1231), report(duplicates: 31), report(late: 1), report(deadLetters: 2),
        "no report",
    ])
    func `a report that does not agree is an error`(report: String) {
        #expect(throws: CommandFailure.self) { try Self.check().sentence(for: report) }
    }
}
