import FlowEvents
import Foundation
import FunnelReports
import Testing

@testable import Funnels

@Suite struct UnreadPartitionsTextTests {
    private func unread(_ partitions: some Sequence<Int32>, at text: String? = nil) throws -> [UnreadPartition] {
        let time = try text.map { try #require(Timestamp($0)) }
        return partitions.map { UnreadPartition(partition: $0, readAt: time) }
    }

    @Test func `a report of all partitions says nothing`() throws {
        #expect(UnreadPartitionsText.sentences([]) == [])
        let text = JSONReport.render(try ExampleReport.make())
        #expect(!text.contains("unread_partitions"))
    }

    @Test func `partitions that were never read come before those not read of late, with the earliest time`() throws {
        let partitions =
            try unread([0, 2]) + unread([1], at: "2026-11-26T03:05:00Z") + unread([5], at: "2026-11-25T03:05:00Z")
        #expect(
            UnreadPartitionsText.sentences(partitions) == [
                "A part of the topic only: partitions 0, 2 have never been read for this store.",
                "Newer events are missing: partitions 1, 5 were last read at 2026-11-25 03:05 UTC. "
                    + "Does a consumer of this store run?",
            ]
        )
    }

    @Test func `one partition is named, and of many the first eight`() throws {
        #expect(
            UnreadPartitionsText.sentences(try unread([3]))
                == ["A part of the topic only: partition 3 has never been read for this store."]
        )
        let many = UnreadPartitionsText.sentences(try unread(0..<1200))
        #expect(many.first?.contains("partitions 0, 1, 2, 3, 4, 5, 6, 7 and 1,192 more have") == true)
    }

    @Test func `the table, the pages and the JSON say it first`() throws {
        var report = try ExampleReport.make()
        report.unreadPartitions = try unread([3]) + unread([4], at: "2026-11-26T03:05:00Z")
        let table = TableReport.render(report, style: TableStyle())
        let first = "A part of the topic only: partition 3 has never been read for this store."
        #expect(table.hasPrefix(first + "\nNewer events"))
        #expect(table.contains("run?\n\nhome-to-paywall\n"))
        let json = JSONReport.render(report)
        let path = json.filter { !$0.isWhitespace }
        #expect(
            path.hasPrefix(
                #"{"unread_partitions":[{"partition":3,"read_at":null},{"partition":4,"read_at":"2026-11-26T03:05:00"#
            )
        )
        for page in [
            PageReport.render(report), LivePage.overview(report, state: "s"),
            LivePage.funnel(report, ReportQuery(), state: "s"),
        ] {
            let main = try #require(page.range(of: "<main>"))
            let alert = try #require(page.range(of: "A part of the topic only: partition 3 has"))
            #expect(page[main.upperBound..<alert.lowerBound].count < 60)
            #expect(page.contains("role=\"alert\""))
        }
    }
}
