import HTTPTypes
import Hummingbird
import NIOCore

/// Reads a request's body whole, within the limits and the budget.
struct RequestBodyReader {
    let limits: CollectorLimits
    let budget: MemoryBudget

    /// Reads and decompresses the body.
    ///
    /// - Returns: the body, and what keeps its memory reserved, for as long as it waits for Kafka too.
    /// - Throws: ``Problem``, or what broke the connection.
    func read(_ request: Request) async throws -> (body: [UInt8], reservation: MemoryBudget.Reservation) {
        let isCompressed = try Self.isCompressed(request.headers[.contentEncoding])
        let length = request.headers[.contentLength].flatMap { Int($0) }
        if let length, length > limits.bodySize { throw tooLarge }
        let expected = RequestSize.reserved(plain: length ?? limits.bodySize)
        guard let reservation = budget.reserve(expected) else { throw Self.full }
        var body: [UInt8] = []
        body.reserveCapacity(length ?? 0)
        for try await buffer in request.body {
            guard body.count + buffer.readableBytes <= limits.bodySize else { throw tooLarge }
            body.append(contentsOf: buffer.readableBytesView)
        }
        guard isCompressed else { return (body, reservation) }
        // Reserved before it is known how much comes out, and given back when it is.
        guard reservation.resize(to: RequestSize.reserved(plain: limits.decompressedSize)) else { throw Self.full }
        let plain = try decompress(body)
        _ = reservation.resize(to: RequestSize.reserved(plain: plain.count))
        return (plain, reservation)
    }

    private func decompress(_ body: [UInt8]) throws(Problem) -> [UInt8] {
        do {
            return try Gunzip.decompress(body, limit: limits.decompressedSize)
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
