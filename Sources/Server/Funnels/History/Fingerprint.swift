import FlowEvents

/// A 32-bit hash that is the same in every process, so that a store can keep it.
struct Fingerprint {
    private var state: UInt64 = 0x51_7C_C1_B7_27_22_0A_95

    var value: UInt32 { UInt32(truncatingIfNeeded: state >> 32) }

    mutating func combine(_ word: UInt64) {
        state = (state ^ word) &* 0x9E37_79B9_7F4A_7C15
        state ^= state >> 29
    }

    mutating func combine(_ bytes: UnsafeRawBufferPointer) {
        combine(UInt64(bytes.count))
        var offset = 0
        while offset + 8 <= bytes.count {
            combine(UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self)))
            offset += 8
        }
        var rest: UInt64 = 0
        for byte in bytes[offset...] { rest = rest << 8 | UInt64(byte) }
        if offset < bytes.count { combine(rest) }
    }
}

extension InstallState {
    /// The fingerprint of an event's source and id.
    func fingerprint(_ event: Evidence) -> UInt32 {
        var hash = Fingerprint()
        if event.id.isUUID {
            hash.combine(event.id.high)
            hash.combine(event.id.low)
        } else {
            idTexts.withText(of: event.id) { hash.combine($0) }
        }
        strings.withText(event.source) { hash.combine($0) }
        return hash.value
    }

    /// The fingerprint of an actor in one funnel.
    func fingerprint(_ owner: DayOutcome.Owner) -> UInt32 {
        var hash = Fingerprint()
        // Differs from the first word of every event's text, which is its length.
        hash.combine(1 << 63 | UInt64(owner.funnel))
        for text in [owner.actor, owner.value] {
            guard let text else {
                hash.combine(.max)
                continue
            }
            strings.withText(text) { hash.combine($0) }
        }
        return hash.value
    }
}

/// Sorted fingerprints as bytes, in which a binary search needs no decoding.
enum FingerprintFilter {
    static func encode(_ sorted: [UInt32]) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(sorted.count * 4)
        for fingerprint in sorted { withUnsafeBytes(of: fingerprint.littleEndian) { bytes.append(contentsOf: $0) } }
        return bytes
    }

    static func decode(_ bytes: UnsafeRawBufferPointer) throws(DamagedBytes) -> [UInt32] {
        guard bytes.count.isMultiple(of: 4) else { throw DamagedBytes() }
        return (0..<bytes.count / 4).map { element(at: $0, in: bytes) }
    }

    static func contains(_ fingerprint: UInt32, in bytes: UnsafeRawBufferPointer) -> Bool {
        let indices = 0..<bytes.count / 4
        let index = indices.partitioningIndex { element(at: $0, in: bytes) >= fingerprint }
        return index < indices.upperBound && element(at: index, in: bytes) == fingerprint
    }

    private static func element(at index: Int, in bytes: UnsafeRawBufferPointer) -> UInt32 {
        UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: index * 4, as: UInt32.self))
    }
}
