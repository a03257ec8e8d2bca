import FlowEventTestSupport
import FlowEvents
import FunnelTestSupport
import Testing

@testable import Funnels

@Suite struct StatePatchTests {
    private func bytes(_ count: Int, _ generator: inout SeededGenerator, below bound: UInt8 = 255) -> [UInt8] {
        (0..<count).map { _ in UInt8.random(in: 0...bound, using: &generator) }
    }

    @Test(arguments: 1...20 as ClosedRange<UInt64>)
    func `a patch leads from any state to any other`(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        for _ in 0..<300 {
            // States of few different bytes have the same words in many places.
            let bound: UInt8 = generator.chance(50) ? 1 : 255
            let old = bytes(Int.random(in: 0...400, using: &generator), &generator, below: bound)
            var new = generator.chance(20) ? bytes(Int.random(in: 0...400, using: &generator), &generator) : old
            for _ in 0..<Int.random(in: 0...6, using: &generator) {
                let start = Int.random(in: 0...new.count, using: &generator)
                let end = min(new.count, start + Int.random(in: 0...30, using: &generator))
                let added = bytes(Int.random(in: 0...90, using: &generator), &generator, below: bound)
                new.replaceSubrange(start..<end, with: added)
            }
            let patch = StatePatch(from: old, to: new)
            #expect(try patch.applied(to: old) == new, "seed \(seed)")
            #expect(patch.bytes.isEmpty == (old == new), "seed \(seed)")
        }
    }

    @Test func `short changes at several places take their own bytes and some numbers`() throws {
        var generator = SeededGenerator(seed: 5)
        let old = bytes(3000, &generator)
        var new = old
        new[3] = old[3] &+ 1
        new.insert(contentsOf: bytes(17, &generator), at: 100)
        new.insert(contentsOf: bytes(26, &generator), at: 1500)
        new.removeSubrange(2000..<2006)
        new[2500] = new[2500] &+ 1
        #expect(StatePatch(from: old, to: new).bytes.count <= 1 + 17 + 26 + 1 + 5 * 4)
    }

    @Test(arguments: 1...5 as ClosedRange<UInt64>)
    func `a replacement of up to 64 bytes takes its own bytes and some numbers`(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        for _ in 0..<300 {
            let old = bytes(400, &generator)
            let removed = Int.random(in: 0...60, using: &generator)
            let added = Int.random(in: 0...(64 - removed), using: &generator)
            let start = Int.random(in: 0...300, using: &generator)
            var new = old
            new.replaceSubrange(start..<(start + removed), with: bytes(added, &generator))
            let patch = StatePatch(from: old, to: new)
            // Three numbers, of which one may take two bytes.
            #expect(patch.bytes.count <= added + 4, "seed \(seed): \(removed) bytes by \(added) at \(start)")
            #expect(try patch.applied(to: old) == new)
        }
    }

    @Test func `one more event changes few bytes of a row`() throws {
        var topic = try CountedTopic(funnels: try RandomFunnels.twoSteps())
        var random = RandomFunnels(seed: 3)
        var sizes: [(row: Int, patch: Int)] = []
        for number in 0..<60 as Range<Int64> {
            try topic.insert(
                Event(
                    id: random.uuid(),
                    source: "app://a",
                    type: "screen_view",
                    // A session of ten events a day.
                    time: Timestamp(milliseconds: random.start + number / 10 * 86_400_000 + number * 60_000),
                    installID: "install",
                    sessionID: "0193479e-8f8c-7c3a-9d8e-2f0a6b1c4d\(10 + number / 10)",
                    sequence: number,
                    screen: number % 2 == 0 ? "home" : "paywall"
                )
            )
            try topic.commit()
            let write = try #require(topic.written.first)
            let patch = StatePatch(from: try #require(write.previousState), to: write.state)
            sizes.append((write.state.count, patch.bytes.count))
        }
        let medianPatch = sizes.map(\.patch).sorted()[sizes.count / 2]
        let medianRow = sizes.map(\.row).sorted()[sizes.count / 2]
        #expect(medianPatch < 60 && medianPatch * 5 < medianRow, "\(sizes)")
    }

    @Test(arguments: 1...5 as ClosedRange<UInt64>)
    func `a damaged patch is an error or another state, never a crash`(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        for _ in 0..<500 {
            let old = bytes(100, &generator)
            var patch = StatePatch(from: old, to: bytes(120, &generator))
            for _ in 0..<Int.random(in: 1...4, using: &generator) {
                patch.bytes[Int.random(in: patch.bytes.indices, using: &generator)] = .random(
                    in: 0...255,
                    using: &generator
                )
            }
            _ = try? patch.applied(to: old)
            _ = try? patch.applied(to: [])
        }
        #expect(throws: DamagedPatch.self) { try StatePatch(bytes: [101, 0, 0]).applied(to: bytes(100, &generator)) }
        #expect(throws: DamagedPatch.self) { try StatePatch(bytes: [0, 0, 5, 1]).applied(to: []) }
    }

    @Test func `a list has its patches in order`() throws {
        var patches = StatePatches()
        patches.append(row: 7, version: 1, from: [1, 2, 3], to: [1, 2, 4])
        patches.append(row: 1 << 40, version: 9, from: [], to: [5])
        var found: [(row: Int64, version: Int64, patch: StatePatch)] = []
        try patches.bytes.withUnsafeBytes { bytes in
            try StatePatches.forEach(in: bytes) { found.append(($0, $1, $2)) }
        }
        #expect(found.map(\.row) == [7, 1 << 40] && found.map(\.version) == [1, 9])
        #expect(try found[0].patch.applied(to: [1, 2, 3]) == [1, 2, 4])
        #expect(try found[1].patch.applied(to: []) == [5])
        let damaged = Array(patches.bytes.dropLast())
        #expect(throws: DamagedPatch.self) {
            try damaged.withUnsafeBytes { try StatePatches.forEach(in: $0) { _, _, _ in } }
        }
    }
}
