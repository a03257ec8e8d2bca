import CFlowZlib
import CFlowZstd

/// Decompresses a stream step by step.
protocol Decompression: AnyObject {
    /// The name of the format, for messages.
    static var format: String { get }

    /// Decompresses as much as the output takes.
    ///
    /// - Returns: how many bytes of the input were used and how many were written; `nil` where the data is damaged.
    func decompress(
        _ input: UnsafeRawBufferPointer,
        into output: UnsafeMutableRawBufferPointer
    ) -> (used: Int, written: Int)?

    /// Whether the data that was read so far is whole: a stream may end here.
    var isWhole: Bool { get }
}

/// gzip, [RFC 1952](https://www.rfc-editor.org/rfc/rfc1952): one member after another.
final class GzipDecompression: Decompression {
    static let format = "gzip"
    static let magic: [UInt8] = [0x1f, 0x8b]

    // zlib keeps the address of its stream, so the stream must not move. deinit frees it.
    private let stream: UnsafeMutablePointer<z_stream>
    private var isReady: Bool
    private(set) var isWhole = false

    init() {
        stream = .allocate(capacity: 1)
        stream.initialize(to: z_stream())
        isReady = flow_inflate_init_gzip(stream) == Z_OK
    }

    deinit {
        inflateEnd(stream)
        stream.deallocate()
    }

    func decompress(
        _ input: UnsafeRawBufferPointer,
        into output: UnsafeMutableRawBufferPointer
    ) -> (used: Int, written: Int)? {
        guard isReady else { return nil }
        if isWhole, !input.isEmpty {
            guard inflateReset(stream) == Z_OK else { return nil }
            isWhole = false
        }
        // zlib's input pointer is mutable for historical reasons. No pointer outlives the call.
        stream.pointee.next_in = UnsafeMutablePointer(
            mutating: input.bindMemory(to: UInt8.self).baseAddress
        )
        stream.pointee.avail_in = uInt(input.count)
        stream.pointee.next_out = output.bindMemory(to: UInt8.self).baseAddress
        stream.pointee.avail_out = uInt(output.count)
        let code = inflate(stream, Z_NO_FLUSH)
        // Without input or room nothing is wrong: there is only no progress.
        guard code == Z_OK || code == Z_STREAM_END || code == Z_BUF_ERROR else { return nil }
        isWhole = code == Z_STREAM_END
        return (input.count - Int(stream.pointee.avail_in), output.count - Int(stream.pointee.avail_out))
    }
}

/// Zstandard, [RFC 8878](https://www.rfc-editor.org/rfc/rfc8878): one frame after another.
final class ZstdDecompression: Decompression {
    static let format = "zstd"
    static let magic: [UInt8] = [0x28, 0xb5, 0x2f, 0xfd]

    private let stream: OpaquePointer?
    private(set) var isWhole = false

    init() { stream = ZSTD_createDStream() }

    deinit { ZSTD_freeDStream(stream) }

    func decompress(
        _ input: UnsafeRawBufferPointer,
        into output: UnsafeMutableRawBufferPointer
    ) -> (used: Int, written: Int)? {
        guard let stream else { return nil }
        var source = ZSTD_inBuffer(src: input.baseAddress, size: input.count, pos: 0)
        var target = ZSTD_outBuffer(dst: output.baseAddress, size: output.count, pos: 0)
        let rest = ZSTD_decompressStream(stream, &target, &source)
        guard ZSTD_isError(rest) == 0 else { return nil }
        // 0 says that a frame has ended. A call without input between two frames says nothing.
        if source.pos > 0 || target.pos > 0 { isWhole = rest == 0 }
        return (source.pos, target.pos)
    }
}
