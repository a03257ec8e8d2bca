import FlowTestSupport
import Foundation
import Testing

@Suite struct ArticleTests {
    private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()

    @Test(arguments: [
        ("Server/FunnelConsumer/FunnelConsumer.docc/FunnelConsumer.md", 1),
        ("Server/FunnelFile/FunnelFile.docc/FunnelFile.md", 1),
        ("Server/FunnelStore/FunnelStore.docc/FunnelStore.md", 1),
        ("Server/FunnelStorePostgres/FunnelStorePostgres.docc/FunnelStorePostgres.md", 1),
        ("Server/FunnelStoreSQLite/FunnelStoreSQLite.docc/FunnelStoreSQLite.md", 1),
        ("Server/Funnels/Funnels.docc/Funnels.md", 4), ("Wire/KafkaSink/KafkaSink.docc/KafkaSink.md", 1),
        ("Wire/RDKafka/RDKafka.docc/RDKafka.md", 3),
    ])
    func `every code block of an article is compiled here`(article: String, count: Int) throws {
        let files = [Self.folder.appendingPathComponent("Snippets.swift")]
        let blocks = try ArticleCode.blocks(of: article, missingIn: files)
        #expect(blocks.count >= count)
        #expect(blocks.missing == [])
    }
}
