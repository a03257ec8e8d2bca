/// The difference between two states of a row.
///
/// One more event changes some dozens of the thousands of bytes of a row, at a few places: counts, a session, an event, a
/// result. A patch has only these bytes, so a store can keep it in place of the row.
///
/// ```swift
/// let patch = StatePatch(from: old, to: new)
/// try patch.applied(to: old) == new
/// ```
///
/// It is coded as pieces of three varints: how many bytes stay, how many are removed after them, and how many new bytes
/// follow the numbers. Behind the last piece all bytes stay.
package struct StatePatch: Sendable, Hashable {
    /// The coded pieces.
    package var bytes: [UInt8]

    /// Creates a patch from its coded pieces.
    package init(bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// Finds the difference between two states.
    ///
    /// It is short where the states differ by short insertions, removals and replacements, as the rows before and after an
    /// event do. It is right for any two states.
    package init(from old: [UInt8], to new: [UInt8]) {
        bytes = []
        old.withUnsafeBytes { old in
            new.withUnsafeBytes { new in appendPieces(from: old, to: new) }
        }
    }

    private mutating func appendPieces(from old: UnsafeRawBufferPointer, to new: UnsafeRawBufferPointer) {
        var (oldStart, newStart) = (0, 0)
        while true {
            let (oldRest, newRest) = (old[rebased: oldStart...], new[rebased: newStart...])
            let kept = oldRest.commonPrefixCount(with: newRest)
            if kept == oldRest.count, kept == newRest.count { return }
            let (removed, added) = Self.nextDifference(
                oldRest[rebased: kept...],
                newRest[rebased: kept...]
            )
            bytes.appendVarint(UInt64(kept))
            bytes.appendVarint(UInt64(removed))
            bytes.appendVarint(UInt64(added))
            bytes.append(bytes: newRest[rebased: kept..<(kept + added)])
            oldStart += kept + removed
            newStart += kept + added
        }
    }

    // A result, an event with an id that is no UUID, or a UUID fits.
    private static let greatestDifference = 64

    /// The number of bytes to remove and to add before two states that begin with different bytes have the same eight bytes;
    /// where there are none nearby, before the end that they share.
    private static func nextDifference(
        _ old: UnsafeRawBufferPointer,
        _ new: UnsafeRawBufferPointer
    ) -> (removed: Int, added: Int) {
        func areEqual(_ removed: Int, _ added: Int) -> Bool {
            removed + 8 <= old.count && added + 8 <= new.count && old.word(at: removed) == new.word(at: added)
        }
        for sum in 1...greatestDifference {
            for removed in 0...sum where areEqual(removed, sum - removed) { return (removed, sum - removed) }
        }
        var shared = 0
        while shared < min(old.count, new.count), old[old.count - 1 - shared] == new[new.count - 1 - shared] {
            shared += 1
        }
        return (old.count - shared, new.count - shared)
    }

    /// Returns the state after the patch.
    ///
    /// - Parameter old: the state that the patch was made from.
    /// - Throws: ``DamagedPatch`` where the patch cannot be of this state.
    package func applied(to old: [UInt8]) throws(DamagedPatch) -> [UInt8] {
        var result: [UInt8] = []
        result.reserveCapacity(old.count + bytes.count)
        var position = 0
        do throws(DamagedBytes) {
            try bytes.reading { bytes throws(DamagedBytes) in
                var reader = ByteReader(bytes)
                while !reader.isAtEnd {
                    let kept = try reader.index(below: old.count - position + 1)
                    result += old[position..<(position + kept)]
                    position += kept
                    position += try reader.index(below: old.count - position + 1)
                    result.append(contentsOf: try reader.counted())
                }
            }
        } catch {
            throw DamagedPatch()
        }
        return result + old[position...]
    }
}

/// A patch of a row cannot be read, or is not of this row: the store is damaged.
package struct DamagedPatch: Error, Sendable, Hashable {
    /// Creates the error.
    package init() {}
}

/// Patches of rows, one after another, as a store keeps those of one commit.
package struct StatePatches: Sendable {
    /// The coded patches: of each the number of the row, the version that it is made from, and the counted bytes.
    package private(set) var bytes: [UInt8] = []

    /// Creates an empty list.
    package init() {}

    /// Appends the difference between two versions of a row.
    ///
    /// - Parameters:
    ///   - row: a number that the store gives the row; 0 or more.
    ///   - version: the version of the row before; 0 or more.
    ///   - old: the state of this version.
    ///   - new: the state of the next version.
    package mutating func append(row: Int64, version: Int64, from old: [UInt8], to new: [UInt8]) {
        bytes.appendVarint(UInt64(row))
        bytes.appendVarint(UInt64(version))
        bytes.appendCounted(StatePatch(from: old, to: new).bytes)
    }

    /// Calls `body` with each patch of a coded list, in order.
    ///
    /// - Throws: ``DamagedPatch`` where the list cannot be read; what `body` throws.
    package static func forEach(
        in bytes: UnsafeRawBufferPointer,
        _ body: (_ row: Int64, _ version: Int64, _ patch: StatePatch) throws -> Void
    ) throws {
        var reader = ByteReader(bytes)
        while !reader.isAtEnd {
            let row: Int64
            let version: Int64
            let patch: StatePatch
            do throws(DamagedBytes) {
                row = Int64(try reader.index(below: .max))
                version = Int64(try reader.index(below: .max))
                patch = StatePatch(bytes: Array(try reader.counted()))
            } catch {
                throw DamagedPatch()
            }
            try body(row, version, patch)
        }
    }
}

extension UnsafeRawBufferPointer {
    fileprivate subscript(rebased range: some RangeExpression<Int>) -> UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(rebasing: self[range])
    }

    fileprivate func word(at offset: Int) -> UInt64 { loadUnaligned(fromByteOffset: offset, as: UInt64.self) }

    /// How many bytes both begin with.
    fileprivate func commonPrefixCount(with other: UnsafeRawBufferPointer) -> Int {
        let end = Swift.min(count, other.count)
        var position = 0
        while position + 8 <= end {
            let difference = UInt64(littleEndian: word(at: position) ^ other.word(at: position))
            if difference != 0 { return position + difference.trailingZeroBitCount / 8 }
            position += 8
        }
        while position < end, self[position] == other[position] { position += 1 }
        return position
    }
}
