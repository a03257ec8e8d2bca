import FlowEvents
package import FunnelStore
package import Funnels

/// The data of a store that was written by a version without sequence numbers, and a commit that follows.
package enum OldStore {
    /// The only partition.
    package static let standing = PartitionProgress(
        partition: 2,
        nextOffset: 9,
        watermark: Timestamp(milliseconds: 5),
        quality: Quality(events: 8, duplicates: 3, late: 2, deadLetters: 1)
    )
    /// The only install.
    package static let row = StoreFixtures.row("a", 4, "b")

    /// The quality counts of the next records.
    private static let added = Quality(events: 2, completeness: Completeness(expected: 3, missing: 1), unread: 4)

    /// The commit of the next records.
    package static var commit: StoreCommit {
        StoreCommit(
            partitions: [StoreFixtures.advance(2, from: 9, to: 15, watermark: 5, quality: added)],
            installs: [StoreFixtures.write("a", after: 4, "c")],
            summary: []
        )
    }

    /// The quality counts after the commit.
    package static var quality: Quality { standing.quality + added }

    /// The segments of the first funnel by day, in the old encoding: records of single attempts, grouped by the days
    /// between which they count and by depth.
    package static let segments: [(day: Int, bytes: [UInt8])] = [
        // Four attempts end at the first step; two get to the third, after 10 and 20 ms, and after 30 and 5.
        (1, [0, 0, 1, 1, 8] + [0, 0, 3, 6, 2, 20, 40, 2, 40, 10]),
        // One gets to the second step after 7 ms, but has got as far the day before.
        (2, [1, 0, 2, 2, 2, 14]),
    ]

    /// The numbers of a report on them, for all days and from the second day on.
    package static func figures(in source: some SummarySource) throws -> [[Figures]] {
        let steps = ["a", "b", "c"].map { Step(name: $0, event: $0) }
        let funnel = try Funnel(name: "first", window: .seconds(1), steps: steps)
        return try [nil, Day(number: 2)].map { day in
            let report = try FunnelReport.make(from: source, funnels: [funnel], from: day)
            return report.funnels[0].steps.map {
                Figures(count: $0.count, fromFirst: $0.medianFromFirst, fromPrevious: $0.medianFromPrevious)
            }
        }
    }

    /// The expected result of ``figures(in:)``.
    package static let figures = [
        [
            Figures(count: 6, fromFirst: nil, fromPrevious: nil), Figures(count: 2, fromFirst: 10, fromPrevious: 10),
            Figures(count: 2, fromFirst: 30, fromPrevious: 5),
        ],
        [
            Figures(count: 1, fromFirst: nil, fromPrevious: nil), Figures(count: 1, fromFirst: 7, fromPrevious: 7),
            Figures(count: 0, fromFirst: nil, fromPrevious: nil),
        ],
    ]

    /// The rows of the view `funnel_results`, in order: funnel, value, day, previous day, depth and actors.
    package static let viewRows = [
        "first - 1970-01-02 1 4", "first - 1970-01-02 3 2", "first - 1970-01-03 1970-01-02 2 1",
    ]

    /// One step's count and medians.
    package struct Figures: Equatable {
        var count: Int
        var fromFirst: Int64?
        var fromPrevious: Int64?
    }
}
