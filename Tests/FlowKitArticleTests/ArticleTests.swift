import FlowTestSupport
import Foundation
import Testing

@Suite struct ArticleTests {
    private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()

    @Test(arguments: [
        ("FlowKit/FlowKit.docc/BuildingAnApp.md", 10), ("FlowAnalytics/FlowAnalytics.docc/FlowAnalytics.md", 5),
        ("FlowAnalytics/FlowAnalytics.docc/AddingToAnApp.md", 3),
        ("FlowAnalytics/FlowAnalytics.docc/InstrumentingAnApp.md", 3),
        ("EventTracking/EventTracking.docc/EventTracking.md", 5),
        ("EventTrackingTestKit/EventTrackingTestKit.docc/EventTrackingTestKit.md", 1),
        ("FlowEvents/FlowEvents.docc/FlowEvents.md", 2), ("HTTPSink/HTTPSink.docc/HTTPSink.md", 2),
        ("DeviceQueue/DeviceQueue.docc/DeviceQueue.md", 3),
        ("HeadlessUIKit/HeadlessUIKit.docc/HeadlessUIKit.md", 3),
        ("ScreenJourneys/ScreenJourneys.docc/ScreenJourneys.md", 4),
        ("FlowStoreKit/FlowStoreKit.docc/FlowStoreKit.md", 6),
    ])
    func `every code block of an article is compiled here`(article: String, count: Int) throws {
        let files = [
            "App.swift", "AppTests.swift", "PurchaseSnippets.swift", "Snippets.swift", "SupportSnippets.swift",
        ]
        let blocks = try ArticleCode.blocks(
            of: "App/" + article,
            missingIn: files.map { Self.folder.appendingPathComponent($0) }
        )
        #expect(blocks.count >= count)
        #expect(blocks.missing == [])
    }
}
