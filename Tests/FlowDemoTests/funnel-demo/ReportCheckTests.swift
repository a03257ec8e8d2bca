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
                store: StorePosts(events: 40, repeated: 2, deadLetters: 5, duration: .seconds(1)),
                duration: .seconds(1)
            )
        )
    }

    private static func report(events: Int = 1270, duplicates: Int = 25, late: Int = 0, deadLetters: Int = 3) -> String
    {
        """
        {"funnels":[],"quality":{"events":\(events),"duplicates":\(duplicates),"late":\(late),\
        "dead_letters":\(deadLetters)}}
        """
    }

    @Test func `the check confirms a report that agrees`() throws {
        #expect(
            try Self.check().sentence(for: Self.report()) == """
                Checked: 1,238 events and 32 repeats were published, and 1,270 events are in the report.
                   The funnels use 25 of the repeats, which changed no count. The 3 invalid records are in \
                app-events.dlq.
                """
        )
    }

    @Test(arguments: [
        report(events: 1269), report(events: 1271), report(duplicates: 33), report(late: 1), report(deadLetters: 2),
        "no report",
    ])
    func `a report that does not agree is an error`(report: String) {
        #expect(throws: CommandFailure.self) { try Self.check().sentence(for: report) }
    }
}
