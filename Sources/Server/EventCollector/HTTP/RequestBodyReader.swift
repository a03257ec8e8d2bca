import HTTPTypes
import Hummingbird
import NIOCore

/// Reads a request's whole body, within the limits and the memory budget.
struct RequestBodyReader {
    let limits: CollectorLimits
    let budget: MemoryBudget

    /// Reads and decompresses the body.
    ///
    /// - Returns: the body, and the reservation of its memory. Keep the reservation until Kafka has acknowledged the
    ///   events.
    /// - Throws: ``Problem``, or the error of a broken connection.
    func read(_ request: Request) async throws -> (body: ByteBuffer, reservation: MemoryBudget.Reservation) {
        let isCompressed = try Self.isCompressed(request.headers[.contentEncoding])
        let length = request.headers[.contentLength].flatMap { Int($0) }
        if let length, length > limits.bodySize { throw tooLarge }
        let expected = RequestSize.reserved(plain: length ?? limits.bodySize)
        guard let reservation = budget.reserve(expected) else { throw Self.full }
        var parts = request.body.makeAsyncIterator()
        // Most bodies come in one part, which is used as it is.
        var body = try await parts.next() ?? ByteBuffer()
        guard body.readableBytes <= limits.bodySize else { throw tooLarge }
        while var part = try await parts.next() {
            guard body.readableBytes + part.readableBytes <= limits.bodySize else { throw tooLarge }
            if let length { body.reserveCapacity(minimumWritableBytes: max(0, length - body.readableBytes)) }
            body.writeBuffer(&part)
        }
        guard isCompressed else { return (body, reservation) }
        // The size of the output is not known yet: reserve the maximum, and give back the rest afterwards.
        guard reservation.resize(to: RequestSize.reserved(plain: limits.decompressedSize)) else { throw Self.full }
        let plain = try decompress(body)
        _ = reservation.resize(to: RequestSize.reserved(plain: plain.readableBytes))
        return (plain, reservation)
    }

    private func decompress(_ body: ByteBuffer) throws(Problem) -> ByteBuffer {
        do {
            return ByteBuffer(
                bytes: try Gunzip.decompress(Array(body.readableBytesView), limit: limits.decompressedSize)
            )
        } catch {
            switch error {
            case .damaged: throw .badRequest("Content-Encoding: the body is not gzip, or it is damaged")
            case .tooLarge: throw .tooLarge("more than \(limits.decompressedSize) bytes after decompression")
            }
        }
    }

    private var tooLarge: Problem { .tooLarge("more than \(limits.bodySize) bytes") }

    private static let full = Problem.unavailable("too many events wait for Kafka")

    private static func isCompressed(_ encoding: String?) throws(Problem) -> Bool {
        switch encoding?.lowercased() {
        case nil, "", "identity": return false
        case "gzip", "x-gzip": return true
        default: throw .mediaType("Content-Encoding: expected gzip, or none")
        }
    }
}
