import HTTPTypes
internal import Hummingbird
internal import NIOCore

/// Reads a request's whole body, within the limits and the request's reservation of memory.
struct RequestBodyReader {
    let limits: CollectorLimits
    let reservation: MemoryBudget.Reservation

    /// Reads and decompresses the body. Reserves memory for the bytes that have arrived, and not for those that the
    /// headers announce.
    ///
    /// - Throws: ``Problem``, or the error of a broken connection.
    func read(_ request: Request) async throws -> ByteBuffer {
        let isCompressed = try Self.isCompressed(request.headers[.contentEncoding])
        if let length = request.headers[.contentLength].flatMap({ Int($0) }), length > limits.bodySize {
            throw tooLarge
        }
        var parts = request.body.makeAsyncIterator()
        // Most bodies come in one part, which is used as it is.
        var body = try await parts.next() ?? ByteBuffer()
        try reserve(body.readableBytes)
        while var part = try await parts.next() {
            try reserve(body.readableBytes + part.readableBytes)
            body.writeBuffer(&part)
        }
        return isCompressed ? try decompress(body) : body
    }

    private func reserve(_ size: Int) throws(Problem) {
        guard size <= limits.bodySize else { throw tooLarge }
        guard reservation.resize(to: RequestSize.reserved(plain: size)) else { throw .noMemory }
    }

    private func decompress(_ body: ByteBuffer) throws(Problem) -> ByteBuffer {
        do {
            let plain = try Gunzip.decompress(Array(body.readableBytesView), limit: limits.decompressedSize) { size in
                reservation.resize(to: max(reservation.size, RequestSize.reserved(plain: size)))
            }
            // The output was larger while it grew.
            _ = reservation.resize(to: RequestSize.reserved(plain: plain.count))
            return ByteBuffer(bytes: plain)
        } catch {
            switch error {
            case .damaged: throw .badRequest("Content-Encoding: the body is not gzip, or it is damaged")
            case .noMemory: throw .noMemory
            case .tooLarge: throw .tooLarge("more than \(limits.decompressedSize) bytes after decompression")
            case .tooManyMembers: throw .tooLarge("more than \(Gunzip.maximumMemberCount) gzip members")
            }
        }
    }

    private var tooLarge: Problem { .tooLarge("more than \(limits.bodySize) bytes") }

    private static func isCompressed(_ encoding: String?) throws(Problem) -> Bool {
        switch encoding?.lowercased() {
        case nil, "", "identity": return false
        case "gzip", "x-gzip": return true
        default: throw .mediaType("Content-Encoding: expected gzip, or none")
        }
    }
}
