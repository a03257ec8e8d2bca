/// The bytes of a file, decompressed if it is gzip or Zstandard: its first bytes tell, whatever its name.
final class DecodedInput {
    private let input: ByteInput
    private var decompression: (any Decompression)?
    private var isFormatKnown = false
    // Compressed bytes that are not decompressed yet; in a plain file, the bytes that were read to know the format.
    private var buffer = [UInt8](repeating: 0, count: 256 << 10)
    private var unused = 0..<0

    init(_ input: ByteInput) { self.input = input }

    /// The number of bytes of the file that were read.
    var position: Int64 { input.position }

    /// Reads the next bytes.
    ///
    /// - Returns: how many; 0 at the end.
    func read(into output: UnsafeMutableRawBufferPointer) throws -> Int {
        if !isFormatKnown { try findFormat() }
        guard let decompression else {
            if unused.isEmpty { return try input.read(into: output) }
            return copyUnused(into: output)
        }
        while true {
            var isAtEnd = false
            if unused.isEmpty { isAtEnd = try fill() == 0 }
            let step = buffer.withUnsafeBytes {
                decompression.decompress(UnsafeRawBufferPointer(rebasing: $0[unused]), into: output)
            }
            guard let step else { throw damaged(decompression) }
            unused = unused.lowerBound + step.used..<unused.upperBound
            if step.written > 0 { return step.written }
            guard !isAtEnd else {
                guard decompression.isWhole else { throw damaged(decompression) }
                return 0
            }
        }
    }

    private func damaged(_ decompression: any Decompression) -> EventFileError {
        EventFileError(
            code: .damaged,
            message:
                "\(input.name): the \(type(of: decompression).format) data is damaged, or ends too early, near byte "
                + "\(input.position - Int64(unused.count)): copy the file again"
        )
    }

    private func findFormat() throws {
        isFormatKnown = true
        let longest = max(GzipDecompression.magic.count, ZstdDecompression.magic.count)
        // A pipe may give less than was asked for.
        while unused.count < longest {
            if try fill() == 0 { break }
        }
        let start = buffer[unused.prefix(longest)]
        if start.starts(with: GzipDecompression.magic) {
            decompression = GzipDecompression()
        } else if start.starts(with: ZstdDecompression.magic) {
            decompression = ZstdDecompression()
        }
    }

    /// Reads behind the unused bytes, or from the start of the buffer where there are none.
    private func fill() throws -> Int {
        if unused.isEmpty { unused = 0..<0 }
        let end = unused.upperBound
        let count = try buffer.withUnsafeMutableBytes { bytes in
            try input.read(into: UnsafeMutableRawBufferPointer(rebasing: bytes[end...]))
        }
        unused = unused.lowerBound..<end + count
        return count
    }

    private func copyUnused(into output: UnsafeMutableRawBufferPointer) -> Int {
        let part = unused.prefix(output.count)
        buffer.withUnsafeBytes { output.copyMemory(from: UnsafeRawBufferPointer(rebasing: $0[part])) }
        unused = part.upperBound..<unused.upperBound
        return part.count
    }
}
