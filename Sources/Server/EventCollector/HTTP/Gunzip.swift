import CFlowZlib

/// Decompresses a body with `Content-Encoding: gzip`, up to a limit.
///
/// NIO's decompressor closes the connection if a body is too large or damaged. The protocol requires an answer.
enum Gunzip {
    /// Why a body could not be decompressed.
    enum Failure: Error {
        /// The output exceeds the limit. Decompression stopped there.
        case tooLarge
        /// The body is not gzip, ends too early, or has a wrong checksum.
        case damaged
    }

    private static let step = 64 * 1024

    /// Decompresses one or more gzip members.
    static func decompress(_ bytes: [UInt8], limit: Int) throws(Failure) -> [UInt8] {
        var stream = z_stream()
        guard flow_inflate_init_gzip(&stream) == Z_OK else { throw .damaged }
        defer { inflateEnd(&stream) }
        var output: [UInt8] = []
        var position = 0
        var code = Z_OK
        while code != Z_STREAM_END || position < bytes.count {
            // RFC 1952: a gzip file is a series of members.
            if code == Z_STREAM_END, inflateReset(&stream) != Z_OK { throw .damaged }
            let before = (output.count, position)
            code = inflateStep(&stream, bytes, &position, into: &output, room: min(step, limit - output.count + 1))
            guard code == Z_OK || code == Z_STREAM_END else { throw .damaged }
            guard output.count <= limit else { throw .tooLarge }
            if code == Z_OK, before == (output.count, position) { throw .damaged }
        }
        return output
    }

    private static func inflateStep(
        _ stream: inout z_stream,
        _ bytes: [UInt8],
        _ position: inout Int,
        into output: inout [UInt8],
        room: Int
    ) -> Int32 {
        let start = output.count
        output.append(contentsOf: repeatElement(0, count: room))
        // zlib's input pointer is mutable for historical reasons. No pointer outlives the call.
        let code = bytes.withUnsafeBufferPointer { input in
            output.withUnsafeMutableBufferPointer { output in
                stream.next_in = input.baseAddress.map { UnsafeMutablePointer(mutating: $0 + position) }
                stream.avail_in = uInt(bytes.count - position)
                stream.next_out = output.baseAddress.map { $0 + start }
                stream.avail_out = uInt(room)
                return inflate(&stream, Z_NO_FLUSH)
            }
        }
        position = bytes.count - Int(stream.avail_in)
        output.removeLast(Int(stream.avail_out))
        return code
    }
}
