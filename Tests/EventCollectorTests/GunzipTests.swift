import CFlowZlib
import Testing

@testable import EventCollector

/// Bytes that zlib has compressed.
func gzip(_ bytes: [UInt8]) -> [UInt8] {
    var stream = z_stream()
    guard flow_deflate_init_gzip(&stream, 6) == Z_OK else { return [] }
    defer { deflateEnd(&stream) }
    var output = [UInt8](repeating: 0, count: Int(deflateBound(&stream, uLong(bytes.count))))
    var input = bytes
    input.withUnsafeMutableBufferPointer { input in
        output.withUnsafeMutableBufferPointer { output in
            stream.next_in = input.baseAddress
            stream.avail_in = uInt(input.count)
            stream.next_out = output.baseAddress
            stream.avail_out = uInt(output.count)
            _ = deflate(&stream, Z_FINISH)
        }
    }
    return Array(output.prefix(Int(stream.total_out)))
}

@Suite struct GunzipTests {
    private static let text = (0..<300_000).map { UInt8(truncatingIfNeeded: $0 &* $0 >> 3) }

    @Test func `compressed bytes are restored, from one member or several`() throws {
        #expect(try Gunzip.decompress(gzip(Self.text), limit: Self.text.count) == Self.text)
        #expect(try Gunzip.decompress(gzip([1, 2]) + gzip([3]), limit: 3) == [1, 2, 3])
        #expect(try Gunzip.decompress(gzip([]), limit: 0) == [])
    }

    @Test func `one byte more than the limit is refused`() {
        #expect(throws: Gunzip.Failure.tooLarge) { try Gunzip.decompress(gzip(Self.text), limit: Self.text.count - 1) }
    }

    @Test func `a bomb is not decompressed beyond the limit`() {
        let bomb = gzip([UInt8](repeating: 0, count: 50_000_000))
        #expect(bomb.count < 60_000)
        #expect(throws: Gunzip.Failure.tooLarge) { try Gunzip.decompress(bomb, limit: 100_000) }
    }

    @Test func `more than 1000 members are refused, however small they are`() throws {
        let empty = gzip([])
        func members(_ count: Int) -> [UInt8] { Array([[UInt8]](repeating: empty, count: count).joined()) }
        #expect(try Gunzip.decompress(members(999) + gzip([1]), limit: 10) == [1])
        for count in [1001, 52_428] {
            #expect(throws: Gunzip.Failure.tooManyMembers) { try Gunzip.decompress(members(count), limit: 10) }
        }
    }

    @Test func `the memory of the output is reserved as it grows`() throws {
        var sizes: [Int] = []
        _ = try Gunzip.decompress(gzip(Self.text), limit: 1_000_000) { size in
            sizes.append(size)
            return true
        }
        #expect(sizes == [65_536, 131_072, 262_144, 524_288])
        #expect(throws: Gunzip.Failure.noMemory) {
            try Gunzip.decompress(gzip(Self.text), limit: 1_000_000) { $0 < 200_000 }
        }
    }

    @Test func `truncated, changed and other input is refused`() {
        let good = gzip(Self.text)
        for count in [0, 1, 10, 18, good.count / 2, good.count - 1] {
            let cut = Array(good.prefix(count))
            #expect(throws: Gunzip.Failure.damaged) { try Gunzip.decompress(cut, limit: 1_000_000) }
        }
        var changed = good
        changed[good.count - 6] ^= 1
        #expect(throws: Gunzip.Failure.damaged) { try Gunzip.decompress(changed, limit: 1_000_000) }
        #expect(throws: Gunzip.Failure.damaged) { try Gunzip.decompress(Array("[]".utf8), limit: 1_000_000) }
        #expect(throws: Gunzip.Failure.damaged) { try Gunzip.decompress(good + [1], limit: 1_000_000) }
    }
}
