import DeviceQueue
import EventTracking
import EventTrackingTestKit
import FlowEvents
import FlowTestSupport
import Foundation
import Testing

/// Purchases of an app with a durable queue.
@Suite struct PurchasesOnDeviceTests {
    private let directory: TemporaryDirectory
    private let recorder = EventRecorder()
    private let home = PaywallReference(presentationID: "p-1", source: "home")
    private var folder: String { directory.file("queue") }
    private var file: String { folder + "/purchases.json" }

    init() throws {
        directory = try TemporaryDirectory()
    }

    private func launch() -> Tracker {
        Tracker(
            source: "app://test",
            queue: DeviceQueue(DeviceQueueConfiguration(folder: folder)),
            sink: .recording(recorder)
        )
    }

    private func transaction(token: UUID?) -> StoreTransaction {
        var transaction = StoreTransaction(id: "1", productID: "pro", purchasedAt: .now)
        transaction.accountToken = token
        return transaction
    }

    @Test func `the first launch has an install id, which stays and is the token of purchases`() async throws {
        let first = launch()
        let id = try #require(await first.installID)
        #expect(await first.purchases.begin(home)?.uuidString.lowercased() == id)
        #expect(await launch().installID == id)
    }

    @Test func `a purchase of the next launch keeps its paywall, and is on the disk before it is remembered`()
        async throws
    {
        let token = await launch().purchases.begin(home)
        let second = launch()
        let tracked = await second.purchases.take(transaction(token: token), from: .update) { second.track($0) }
        #expect(tracked != .ignored(.counted))
        #expect(second.statistics.tracked == 1)
        await second.flush()
        let events = try recorder.events.filter { $0.type == "purchase" }
        #expect(events.map(\.presentationID) == ["p-1"] && events.map(\.paywallSource) == ["home"])
        let third = launch()
        let again = await third.purchases.take(transaction(token: token), from: .update) { third.track($0) }
        #expect(again == .ignored(.counted))
    }

    @Test func `opting out deletes what is remembered of purchases`() async throws {
        let tracker = launch()
        _ = await tracker.purchases.begin(home)
        #expect(FileManager.default.fileExists(atPath: file))
        try await tracker.optOut()
        #expect(!FileManager.default.fileExists(atPath: file))
        #expect(await tracker.installID == nil)
        #expect(await launch().purchases.begin(home) == nil)
        #expect(!FileManager.default.fileExists(atPath: file))
    }
}
