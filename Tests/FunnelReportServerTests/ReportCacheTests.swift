import FunnelReports
import FunnelServiceSupport
import FunnelStoreSQLite
import FunnelStoreTestSupport
import NIOCore
import Testing

@testable import FunnelReportServer

/// What a server keeps of its answers.
@Suite struct ReportCacheTests {
    private let tag: StoreTag

    init() throws {
        let filled = try FilledStore()
        let reader = try SQLiteFunnelReader(path: filled.path)
        tag = try reader.withSnapshot { try StoreTag(reader, $0, now: .current) }
    }

    private func answer(_ size: Int) -> ReportAnswer {
        ReportAnswer(tag: tag, contentType: "", body: ByteBuffer(repeating: 0, count: size))
    }

    @Test func `of too many answers, those that were not asked for the longest are forgotten`() throws {
        var cache = ReportCache(limit: 10 * 2048)
        func question(_ number: Int) -> ReportQuestion { .page(funnel: "\(number)", ReportQuery()) }
        for number in 0..<10 { cache[question(number)] = answer(1024) }
        #expect(cache.size == 10 * 2048 && cache[question(0)] != nil)
        cache[question(10)] = answer(1024)
        #expect(cache.size == 10 * 2048)
        #expect(cache[question(0)] != nil && cache[question(1)] == nil && cache[question(10)] != nil)
        cache[question(11)] = answer(10 * 2048)
        #expect(cache[question(11)] == nil && cache.size == 10 * 2048)
        cache.removeAll()
        #expect(cache.size == 0 && cache[question(0)] == nil)
    }
}
