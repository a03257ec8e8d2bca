import CFlowZlib

/// Compression for `Content-Encoding: gzip`, [RFC 1952](https://www.rfc-editor.org/rfc/rfc1952).
///
/// zlib is part of every Apple SDK and of every Linux distribution. Foundation compresses on Apple's platforms only, and
/// there without the header and checksum that gzip is.
enum Gzip {
    /// The bytes compressed; `nil` where zlib has no memory for it.
    static func compressed(_ bytes: [UInt8], level: Int32 = 6) -> [UInt8]? {
        var stream = z_stream()
        guard flow_deflate_init_gzip(&stream, level) == Z_OK else { return nil }
        defer { deflateEnd(&stream) }
        var output = [UInt8](repeating: 0, count: Int(deflateBound(&stream, uLong(bytes.count))))
        // The bound holds for one call, so that there is no loop. zlib reads the input through a mutable pointer for
        // reasons of age, and the pointers do not outlive the call.
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
