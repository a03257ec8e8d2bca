import FlowEventTestSupport
import Testing

@testable import Funnels

@Suite struct InstallTableTests {
    /// Ids of all kinds: UUIDs, texts with the same beginning, texts that others begin with, and the empty text.
    private func ids(_ generator: inout SeededGenerator) -> [[UInt8]] {
        (0..<300).map { _ in
            switch generator.next() % 6 {
            case 0: EventID(high: generator.next() % 4, low: generator.next() % 8).textInPlace
            case 1: EventID(high: generator.next(), low: generator.next()).textInPlace
            case 2: Array("install-number-\(generator.next() % 50)".utf8)
            case 3: Array("install-with-a-long-name-\(generator.next() % 50)".utf8)
            case 4: Array("\(generator.next() % 1000)".utf8)
            default: (0..<generator.next() % 12).map { _ in UInt8(generator.next() % 3 * 120) }
            }
        }
    }

    @Test(arguments: 0..<20 as Range<UInt64>)
    func `each id has one entry, and the order is that of the bytes`(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let ids = ids(&generator)
        var table = InstallTable()
        let indices = ids.map { id in id.withUnsafeBytes { table.index(of: $0) } }
        for (id, index) in zip(ids, indices) { #expect(table.text(of: table[index]) == id) }
        #expect(table.entries.count == Set(ids).count)
        let order = table.order().map { table.text(of: table.entries[$0]) }
        #expect(order == Set(ids).sorted { $0.lexicographicallyPrecedes($1) }, "seed \(seed)")
    }
}
