import FlowEventTestSupport
import Foundation
import Funnels

/// The installs of a benchmark, with random states of a given size that do not compress.
struct BenchInstalls {
    let ids: [[UInt8]]
    private var versions: [Int64]
    private var blockCounts: [Int64]
    private let stateSize: Int
    private let noise: [UInt8]
    private(set) var generator: SeededGenerator

    init(count: Int, stateSize: Int) {
        var generator = SeededGenerator(seed: 1)
        noise = (0..<(max(stateSize, 3_500) * 2)).map { _ in UInt8.random(in: 0...255, using: &generator) }
        ids = (0..<count).map { _ in Array(UUID().uuidString.lowercased().utf8) }
        versions = Array(repeating: 0, count: count)
        blockCounts = Array(repeating: 0, count: count)
        self.stateSize = stateSize
        self.generator = generator
    }

    /// The indices of random installs.
    mutating func sample(_ count: Int) -> [Int] {
        Array(ids.indices.shuffled(using: &generator).prefix(count))
    }

    /// Returns a write of an install's row.
    mutating func write(_ index: Int) -> InstallWrite {
        InstallWrite(
            install: ids[index],
            expectedVersion: versions[index],
            state: bytes((stateSize / 2)...(stateSize * 3 / 2))
        )
    }

    /// Returns a write that also moves events to a new block.
    mutating func archiving(_ index: Int) -> InstallWrite {
        var write = write(index)
        blockCounts[index] += 1
        write.history = [
            HistoryRow(number: 0, state: bytes(1_500...2_500)),
            HistoryRow(number: blockCounts[index], state: bytes(1_500...3_500)),
        ]
        return write
    }

    /// Records that writes are committed.
    mutating func confirm(_ indices: [Int]) {
        for index in indices { versions[index] += 1 }
    }

    private mutating func bytes(_ sizes: ClosedRange<Int>) -> [UInt8] {
        let count = Int.random(in: sizes, using: &generator)
        let start = Int.random(in: 0..<(noise.count - count), using: &generator)
        return Array(noise[start..<start + count])
    }
}
