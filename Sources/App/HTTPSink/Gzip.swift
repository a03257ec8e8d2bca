import CFlowZlib

/// Compression for `Content-Encoding: gzip`, [RFC 1952](https://www.rfc-editor.org/rfc/rfc1952).
///
/// zlib is part of every Apple SDK and every Linux distribution. Foundation compresses only on Apple's platforms, and
/// without the header and the checksum of gzip.
enum Gzip {
    /// Returns the compressed bytes; `nil` if zlib has not enough memory.
    static func compressed(_ bytes: [UInt8], level: Int32 = 6) -> [UInt8]? {
        var stream = z_stream()
        guard flow_deflate_init_gzip(&stream, level) == Z_OK else { return nil }
        defer { deflateEnd(&stream) }
        var output = [UInt8](repeating: 0, count: Int(deflateBound(&stream, uLong(bytes.count))))
        // The output has the maximum size, so one call is enough. zlib declares the input pointer as mutable, but does not
        // change the input. The pointers do not outlive the call.
        let code = bytes.withUnsafeBufferPointer { input in
            output.withUnsafeMutableBufferPointer { output in
                stream.next_in = UnsafeMutablePointer(mutating: input.baseAddress)
                stream.avail_in = uInt(input.count)
                stream.next_out = output.baseAddress
                stream.avail_out = uInt(output.count)
                return deflate(&stream, Z_FINISH)
            }
        }
        guard code == Z_STREAM_END else { return nil }
        output.removeLast(output.count - Int(stream.total_out))
        return output
    }
}
