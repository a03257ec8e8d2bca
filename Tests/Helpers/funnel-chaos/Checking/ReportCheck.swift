import FlowEvents
import Foundation
import FunnelReports
import FunnelTestSupport
import Funnels
import FunnelPostgresTestSupport

/// Compares the output of `funnel-report` with a brute force over the records in the topic.
struct ReportCheck {
    let programs: Programs
    let store: ChaosStore
    let truth: TopicTruth
    /// The number of partitions at the start.
    let firstPartitions: Int

    /// The result of the comparison.
    struct Result {
        /// The data quality of the whole report.
        var quality: Quality
        var figureCount = 0
        var differences: [String] = []
    }

    /// Compares the whole report and a report of some days. Keeps reports that differ in the folder. Blocks the thread.
    func run(leavingIn workspace: Workspace) throws -> Result {
        let floors = try store.progress().compactMapValues(\.floor)
        let oracle = FunnelOracle(
            funnels: try Workspace.funnels(),
            records: truth.records,
            allowedLateness: Traffic.allowedLatenessMilliseconds,
            floors: floors
        )
        var result = Result(quality: Quality())
        result.differences = wrongFloors(floors)
        // The events are from one month, beginning on March 1.
        for (name, days, hasTimes) in [("report", nil, true), ("days", ("2026-03-08", "2026-03-17"), false)] {
            var expected = oracle.report(
                from: days.flatMap { Day($0.0) },
                to: days.flatMap { Day($0.1) },
                hasTimes: hasTimes
            )
            expected.quality.deadLetters = Int64(truth.invalidPlaces.count)
            result.quality = expected.quality
            let range = days.map { ["--from", $0.0, "--to", $0.1] } ?? []
            let times = hasTimes ? ["--times"] : []
            let printed = try FunnelPostgresTestSupport.run(
                [programs.report.path, "--store", store.reportURL, "--format", "json"] + range + times
            )
            let found = ReportText.withoutStates(printed)
            // Whether a repeat of an erased install was seen before its request depends on the order of the partitions.
            if let duplicates = Self.duplicates(in: found), possibleDuplicates(expected.quality).contains(duplicates) {
                expected.quality.duplicates = duplicates
            }
            let text = ReportText.withoutStates(JSONReport.render(expected))
            let comparison = ReportDifferences(expected: text, found: found)
            result.figureCount += comparison.figureCount
            result.differences += comparison.lines.map { "\(name): \($0)" }
            if !comparison.lines.isEmpty {
                try workspace.write(text, to: "\(name)-expected.json")
                try workspace.write(found, to: "\(name)-found.json")
            }
        }
        return result
    }

    /// Checks the floors: the times before which all events of a partition are late. Only added partitions have one, and it
    /// is at most the least watermark of the first partitions less the allowed lateness.
    ///
    /// - Returns: what is wrong.
    private func wrongFloors(_ floors: [Int32: Timestamp]) -> [String] {
        let watermarks = Dictionary(grouping: truth.records.filter { $0.partition < firstPartitions }, by: \.partition)
            .values.compactMap { records in records.map { min($0.event.time, $0.timestamp ?? $0.event.time) }.max() }
        let greatest = watermarks.min().map { $0.milliseconds - Traffic.allowedLatenessMilliseconds } ?? .min
        return floors.sorted { $0.key < $1.key }.compactMap { partition, floor in
            partition >= firstPartitions && floor.milliseconds <= greatest
                ? nil : "the events of partition \(partition) are late before \(floor)"
        }
    }

    private func possibleDuplicates(_ quality: Quality) -> ClosedRange<Int64> {
        let erased = Set(truth.records.filter { $0.event.type == ErasureRequest.eventType }.map(\.event.installID))
        let records = truth.records.count { erased.contains($0.event.installID) }
        return quality.duplicates...quality.duplicates + Int64(records)
    }

    private static func duplicates(in report: String) -> Int64? {
        report.firstMatch(of: /"duplicates": ([0-9]+)/).flatMap { Int64($0.1) }
    }
}
