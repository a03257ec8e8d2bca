import FlowEventTestSupport
import Testing

@testable import Funnels

@Suite struct StringTableTests {
    /// UUIDs, texts that are nearly UUIDs, and texts of the same bytes as a UUID's number.
    private static func strings(_ generator: inout SeededGenerator) -> [[UInt8]] {
        var strings: [[UInt8]] = [[], Array("home".utf8)]
        for _ in 0..<60 {
            let id = EventID(high: generator.next(), low: generator.next())
            var upper = id.textInPlace
            upper[0] = UInt8(ascii: "A")
            strings += [id.textInPlace, upper, id.textInPlace.dropLast(), id.withBytes { Array($0) }]
        }
        return strings
    }

    @Test(arguments: [3, 240])
    func `each string has one index and is read as it was added`(count: Int) {
        var generator = SeededGenerator(seed: UInt64(count))
        let strings = Array(Self.strings(&generator).prefix(count))
        var table = StringTable()
        let indices = strings.map { table.intern($0) }
        #expect(Set(indices).count == strings.count && table.count == strings.count)
        #expect(strings.map { table.intern($0) } == indices)
        for (string, index) in zip(strings, indices) {
            #expect(Array(table[index]) == string)
            #expect(table.withText(index) { Array($0) } == string)
            #expect(table.length(index) == string.count)
        }
        #expect(table.textByteCount == strings.reduce(0) { $0 + $1.count })
        var other = StringTable()
        let others = indices.reversed().map { other.intern($0, of: table) }
        #expect(others.map { Array(other[$0]) } == strings.reversed())
        #expect(strings.reversed().map { other.intern($0) } == others)
    }

    @Test func `the order is that of the texts`() {
        var generator = SeededGenerator(seed: 4)
        let strings = Self.strings(&generator)
        var table = StringTable()
        let indices = strings.map { table.intern($0) }
        for (left, leftIndex) in zip(strings, indices) {
            for (right, rightIndex) in zip(strings, indices) {
                #expect(table.precedes(leftIndex, rightIndex) == left.lexicographicallyPrecedes(right))
            }
        }
    }

    @Test func `encoded strings are read into a table that has them already`() throws {
        var generator = SeededGenerator(seed: 5)
        let strings = Self.strings(&generator)
        var table = StringTable()
        var bytes: [UInt8] = []
        for index in strings.map({ table.intern($0) }) { table.withText(index) { bytes.append(text: $0) } }
        for hasThem in [false, true] {
            var read = StringTable()
            if hasThem { for string in strings.reversed() { _ = read.intern(string) } }
            try bytes.withUnsafeBytes { bytes in
                var reader = ByteReader(bytes)
                for string in strings {
                    let index = try reader.text(into: &read, isNew: !hasThem)
                    #expect(Array(read[index]) == string)
                }
                #expect(reader.isAtEnd && read.count == strings.count)
            }
        }
    }
}
