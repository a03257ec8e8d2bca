import CFlowZlib

/// Decompresses a body with `Content-Encoding: gzip`, with a limit for the output and for the number of members.
///
/// NIO's decompressor closes the connection if a body is too large or damaged. The protocol requires an answer.
enum Gunzip {
    /// Why a body could not be decompressed.
    enum Failure: Error {
        /// The output exceeds the limit. Decompression stopped there.
        case tooLarge
        /// There are more than ``Gunzip/maximumMemberCount`` members. Decompression stopped there.
        case tooManyMembers
        /// There is no memory for the output. Decompression stopped there.
        case noMemory
        /// The body is not gzip, ends too early, or has a wrong checksum.
        case damaged
    }

    /// The maximum number of members in a body. An empty member has 20 bytes, and zlib needs some microseconds for it.
    static let maximumMemberCount = 1_000

    private static let step = 64 * 1024

    /// Decompresses one or more gzip members.
    ///
    /// - Parameters:
    ///   - bytes: the compressed body.
    ///   - limit: the maximum size of the output.
    ///   - reserve: reserves the memory for an output of so many bytes in all; returns `false` if there is not enough.
    static func decompress(
        _ bytes: [UInt8],
        limit: Int,
        reserve: (_ size: Int) -> Bool = { _ in true }
    ) throws(Failure) -> [UInt8] {
        var stream = z_stream()
        guard flow_inflate_init_gzip(&stream) == Z_OK else { throw .damaged }
        defer { inflateEnd(&stream) }
        // The output is larger than what has been written, so that a member without output allocates nothing.
        var output: [UInt8] = []
        var written = 0
        var position = 0
        var members = 1
        var code = Z_OK
        while code != Z_STREAM_END || position < bytes.count {
            // RFC 1952: a gzip file is a series of members.
            if code == Z_STREAM_END {
                members += 1
                guard members <= maximumMemberCount else { throw .tooManyMembers }
                guard inflateReset(&stream) == Z_OK else { throw .damaged }
            }
            if written == output.count {
                // One byte more than the limit shows that the output exceeds it.
                let size = min(limit + 1, max(step, 2 * output.count))
                guard reserve(size) else { throw .noMemory }
                output.append(contentsOf: repeatElement(0, count: size - output.count))
            }
            let before = (written, position)
            code = inflateStep(&stream, bytes, &position, into: &output, &written)
            guard code == Z_OK || code == Z_STREAM_END else { throw .damaged }
            guard written <= limit else { throw .tooLarge }
            if code == Z_OK, before == (written, position) { throw .damaged }
        }
        output.removeLast(output.count - written)
        return output
    }

    private static func inflateStep(
        _ stream: inout z_stream,
        _ bytes: [UInt8],
        _ position: inout Int,
        into output: inout [UInt8],
        _ written: inout Int
    ) -> Int32 {
        // zlib's input pointer is mutable for historical reasons. No pointer outlives the call.
        let code = bytes.withUnsafeBufferPointer { input in
            output.withUnsafeMutableBufferPointer { output in
                stream.next_in = input.baseAddress.map { UnsafeMutablePointer(mutating: $0 + position) }
                stream.avail_in = uInt(bytes.count - position)
                stream.next_out = output.baseAddress.map { $0 + written }
                stream.avail_out = uInt(output.count - written)
                return inflate(&stream, Z_NO_FLUSH)
            }
        }
        position = bytes.count - Int(stream.avail_in)
        written = output.count - Int(stream.avail_out)
        return code
    }
}
