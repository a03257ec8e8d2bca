import EventTracking
import FunnelCommandSupport
import FlowDemoSimulation
import Foundation

/// Compares the report with the published events: no event may be missing or counted twice.
struct ReportCheck {
    private let publication: Publication

    init(_ publication: Publication) {
        self.publication = publication
    }

    /// Checks a report in JSON, and returns the result as text.
    ///
    /// - Throws: `CommandFailure` if the report differs from the published events.
    func sentence(for json: String) throws(CommandFailure) -> String {
        let quality: Quality
        do {
            quality = try JSONDecoder().decode(Report.self, from: Data(json.utf8)).quality
        } catch {
            throw CommandFailure(.software, "the output of funnel-report is not a report: \(error)")
        }
        let store = publication.store
        let tracked = publication.result.events.tracked + store.events - store.repeated
        let repeated = publication.repeated + store.repeated
        // The consumer has not read what the collector has sent to the dead-letter topic.
        let invalid = publication.invalid
        guard quality.events == tracked + repeated, quality.deadLetters == invalid, quality.late == 0,
            quality.duplicates <= repeated
        else {
            throw CommandFailure(
                .software,
                "the report differs from the published events (\(tracked) events, \(repeated) repeated, "
                    + "\(invalid) invalid records): \(quality)"
            )
        }
        return """
            Checked: \(tracked.grouped("event")) and \(repeated.grouped("repeat")) were published, and \
            \(quality.events.grouped) events are in the report.
               The funnels use \(quality.duplicates.grouped) of the repeats, which changed no count. The \
            \(invalid.grouped("invalid record")) are in \(DemoBroker.deadLetterTopic).
            """
    }

    private struct Report: Decodable {
        var quality: Quality
    }

    private struct Quality: Decodable {
        var events: Int
        var duplicates: Int
        var late: Int
        var deadLetters: Int

        private enum CodingKeys: String, CodingKey {
            case events
            case duplicates
            case late
            case deadLetters = "dead_letters"
        }
    }
}
