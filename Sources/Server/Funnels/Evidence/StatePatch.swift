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
            new.withUnsafeBytes { new in
                let shared = old.commonSuffixCount(with: new)
                appendPieces(from: old[rebased: ..<(old.count - shared)], to: new[rebased: ..<(new.count - shared)])
            }
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

    /// How many bytes to remove and to add so that the same eight bytes follow in both states, which begin with different
    /// bytes. It is all bytes of both where no eight bytes nearby are the same.
    private static func nextDifference(
        _ old: UnsafeRawBufferPointer,
        _ new: UnsafeRawBufferPointer
    ) -> (removed: Int, added: Int) {
        let (lastOld, lastNew) = (old.count - 8, new.count - 8)
        guard lastOld >= 0, lastNew >= 0 else { return (old.count, new.count) }
        for sum in 0...min(greatestDifference, lastOld + lastNew) {
            // Equal bytes mostly come in long runs. So it tries each fourth place of the old state, and goes back from there.
            for place in stride(from: min(sum, lastOld) & ~3, through: max(0, sum - lastNew), by: -4)
            where old.word(at: place) == new.word(at: sum - place) {
                var (removed, added) = (place, sum - place)
                while removed > 0, added > 0, old[removed - 1] == new[added - 1] {
                    (removed, added) = (removed - 1, added - 1)
                }
                return (removed, added)
            }
        }
        return (old.count, new.count)
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

    /// How many bytes both end with.
    fileprivate func commonSuffixCount(with other: UnsafeRawBufferPointer) -> Int {
        let (end, otherEnd) = (count - 8, other.count - 8)
        var shared = 0
        while shared <= Swift.min(end, otherEnd) {
            let difference = UInt64(littleEndian: word(at: end - shared) ^ other.word(at: otherEnd - shared))
            if difference != 0 { return shared + difference.leadingZeroBitCount / 8 }
            shared += 8
        }
        while shared < Swift.min(count, other.count), self[count - 1 - shared] == other[other.count - 1 - shared] {
            shared += 1
        }
        return shared
    }
}
