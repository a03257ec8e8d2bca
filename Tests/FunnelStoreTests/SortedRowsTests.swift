import FlowEventTestSupport
import FunnelStore
import FunnelStoreTestSupport
import Funnels
import Testing

@Suite struct SortedRowsTests {
    private typealias Fixtures = StoreFixtures

    /// Reads rows of installs in batches of random sizes.
    private func rows(_ names: [String], _ version: Int64, _ generator: SeededGenerator) -> SortedRows {
        var generator = generator
        let all = names.sorted().map { Fixtures.row($0, version, "") }
        return SortedRows { last, _ in
            let rest = all.drop { row in last.map { !$0.lexicographicallyPrecedes(row.install) } ?? false }
            return Array(rest.prefix(generator.pick([1, 2, 5])))
        }
    }

    @Test(arguments: 0..<50 as Range<UInt64>)
    func `the rows of two stores are joined by install, whichever has it`(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let names = (0..<30).map { "i\($0)" } + [""]
        let (first, second) = (names.filter { _ in generator.chance(50) }, names.filter { _ in generator.chance(50) })
        var joined = JoinedRows(rows(first, 1, generator), rows(second, 2, generator))
        var found: [String] = []
        while let (install, left, right) = try joined.next() {
            let name = String(decoding: install, as: UTF8.self)
            found.append(name)
            #expect(left == (first.contains(name) ? Fixtures.row(name, 1, "") : nil), "seed \(seed)")
            #expect(right == (second.contains(name) ? Fixtures.row(name, 2, "") : nil), "seed \(seed)")
        }
        #expect(found == Set(first + second).sorted(), "seed \(seed)")
    }
}
