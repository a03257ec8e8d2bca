import EventTracking
import FunnelCommandSupport
import FlowDemoSimulation
import Foundation
import Funnels

/// Compares the report with the published events: no event may be missing or counted twice.
struct ReportCheck {
    private let publication: Publication
    private let funnels: [Funnel]

    /// Creates a check.
    ///
    /// - Parameters:
    ///   - publication: what was published.
    ///   - funnels: the definitions that were counted. Figures of ``CheckedFunnels`` are checked where they are among them.
    init(_ publication: Publication, funnels: [Funnel] = []) {
        self.publication = publication
        self.funnels = funnels
    }

    /// Checks a report in JSON, and returns the result as text.
    ///
    /// - Throws: `CommandFailure` if the report differs from the published events.
    func sentence(for json: String) throws(CommandFailure) -> String {
        let report: Report
        do {
            let decoder = JSONDecoder()
            decoder.keyDecodingStrategy = .convertFromSnakeCase
            report = try decoder.decode(Report.self, from: Data(json.utf8))
        } catch {
            throw CommandFailure(.software, "the output of funnel-report is not a report: \(error)")
        }
        let quality = report.quality
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
        let figures = try CheckedFunnels(publication.result.tally, funnels).sentence(for: report.funnels)
        return """
            Checked: \(tracked.grouped("event")) and \(repeated.grouped("repeat")) were published, and \
            \(quality.events.grouped) events are in the report.
               The funnels use \(quality.duplicates.grouped) of the repeats, which changed no count. The \
            \(invalid.grouped("invalid record")) are in \(DemoBroker.deadLetterTopic).\(figures)
            """
    }

    private struct Report: Decodable {
        var funnels: [CheckedFunnels.Figures]
        var quality: Quality
    }

    private struct Quality: Decodable {
        var events: Int
        var duplicates: Int
        var late: Int
        var deadLetters: Int
    }
}
