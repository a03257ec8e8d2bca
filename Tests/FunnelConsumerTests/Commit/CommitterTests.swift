import FlowEventTestSupport
import FlowEvents
import FunnelStore
import FunnelStoreTestSupport
import FunnelTestSupport
import Funnels
import PrometheusMetrics
import Testing

@testable import FunnelConsumer

@Suite struct CommitterTests {
    private static let day: Int64 = 86_400
    private let store = TemporaryStore()
    private let registry = PrometheusRegistry(help: FunnelConsumerMetrics.help)
    private let funnels: [Funnel]
    private var intake: RecordIntake
    private var offset: Int64 = 0

    init() throws {
        funnels = try homeToPaywall()
        _ = try store.open(StoreIdentity(clusterID: "c", topic: "t", funnels: funnels))
        intake = RecordIntake(funnels: funnels, allowedLateness: 86_400_000)
        intake.assign(0, stored: nil)
    }

    private func committer(_ bounds: FunnelBounds) -> Committer {
        Committer(
            store: store,
            funnels: funnels,
            bounds: bounds,
            partitionCount: 1,
            isNew: true,
            metrics: ConsumerMetricsRecorder(factory: registry)
        )
    }

    private mutating func commit(_ events: [Event], _ committer: inout Committer) throws {
        for event in events {
            try event.encoded().withUnsafeBytes {
                _ = intake.take($0, timestamp: nil, partition: 0, offset: offset)
            }
            offset += 1
        }
        #expect(try committer.commit(intake.takeInterval(), intake.takeAdvances()) == nil)
    }

    private func evidenceCount() throws -> Int {
        try store.withAudit { audit in
            var count = 0
            try audit.forEachInstall { count += try InstallContents($0, funnels: funnels).events.count }
            return count
        }
    }

    @Test mutating func `an install that was let go of is read again, also from a store that began empty`() throws {
        var committer = committer(FunnelBounds(cacheBytes: 0))
        for install in ["a", "b", "c"] { try commit([screenView("home", install, second: 0)], &committer) }
        try commit([screenView("paywall", "a", second: 60), screenView("home", "b", second: 0)], &committer)
        let report = try store.report()
        #expect(report.funnels[0].steps.map(\.count) == [3, 1])
        #expect(report.quality == Quality(events: 5, duplicates: 1))
        let page = registry.page()
        #expect(page.contains("funnel_consumer_cache_lookups_total{outcome=\"miss\"} 5\n"))
        #expect(page.contains("funnel_consumer_cached_installs 0\n"))
    }

    @Test mutating func `what is at hand is counted, with the memory that it takes`() throws {
        var committer = committer(FunnelBounds())
        try commit([screenView("home", "a", second: 0), screenView("home", "b", second: 0)], &committer)
        try commit([screenView("paywall", "a", second: 60)], &committer)
        let page = registry.page()
        #expect(page.contains("funnel_consumer_cache_lookups_total{outcome=\"hit\"} 1\n"))
        #expect(page.contains("funnel_consumer_cache_lookups_total{outcome=\"miss\"} 2\n"))
        #expect(page.contains("funnel_consumer_cached_installs 2\n"))
        #expect(!page.contains("funnel_consumer_cache_bytes 0\n"))
        #expect(!page.contains("\nfunnel_consumer_horizon_timestamp_seconds "))
    }

    @Test mutating func `installs that come no more leave their evidence, a bounded number of rows a commit`() throws {
        let installs = 3 * RowLimit.sweep.rowCount
        var committer = committer(FunnelBounds(allowedLateness: 86_400_000))
        try commit((0..<installs).map { screenView("home", "install-\($0)", second: 0) }, &committer)
        let expected = try store.report().funnels
        try commit([screenView("home", "last", second: 20 * Self.day)], &committer)
        var counts: [Int] = []
        for second in 1...6 as ClosedRange<Int64> {
            counts.append(try evidenceCount())
            try commit([screenView("home", "last", second: 20 * Self.day + second)], &committer)
        }
        for (earlier, later) in zip(counts, counts.dropFirst()) {
            #expect(later >= earlier + 1 - RowLimit.sweep.rowCount)
        }
        #expect(try evidenceCount() == 7)
        var report = try store.report()
        #expect(report.funnels[0].steps[0].count == installs + 1)
        report = try store.withSnapshot { source in
            try FunnelReport.figures(from: source, funnels: funnels, to: Day("2026-03-01"))
        }
        #expect(report.funnels[0].steps == expected[0].steps)
        // 20 days after the first event, less the lateness. The seconds since then are less than a step.
        #expect(registry.page().contains("funnel_consumer_horizon_timestamp_seconds 1773964800\n"))
        #expect(try store.horizon() == Timestamp(milliseconds: 1_773_964_800_000))
    }

    @Test mutating func `an install whose evidence is gone leaves all its days when it is erased`() throws {
        var committer = committer(FunnelBounds(allowedLateness: 86_400_000))
        let first = [
            screenView("home", "a", second: 0), screenView("paywall", "a", second: 60),
            screenView("home", "b", second: 0),
        ]
        try commit(first, &committer)
        for second in 0...3 as ClosedRange<Int64> {
            try commit([screenView("home", "last", second: 20 * Self.day + second)], &committer)
        }
        // Only the evidence of the last install is left.
        #expect(try evidenceCount() == 4)
        #expect(try store.report().funnels[0].steps.map(\.count) == [3, 1])
        var request = screenView("home", "a", second: 20 * Self.day + 4)
        request.type = ErasureRequest.eventType
        for _ in 0..<2 {
            try commit([request], &committer)
            let report = try store.report()
            #expect(report.funnels[0].steps.map(\.count) == [2, 0])
            #expect(report.quality.erasedInstalls == 1)
        }
    }

    @Test mutating func `an install with too many events is counted once, and told to the metrics`() throws {
        var committer = committer(FunnelBounds(evidenceLimit: 5))
        try commit(
            (0..<6).map { screenView("home", "bot", second: $0) } + [screenView("home", "a", second: 0)],
            &committer
        )
        try commit((6..<9).map { screenView("home", "bot", second: $0) }, &committer)
        let report = try store.report()
        #expect(report.funnels[0].steps.map(\.count) == [1, 0])
        #expect(report.quality == Quality(events: 10, capped: 1))
        #expect(registry.page().contains("funnel_consumer_capped_installs_total 1\n"))
    }
}
