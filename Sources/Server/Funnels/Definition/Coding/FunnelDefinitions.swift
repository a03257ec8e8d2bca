#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Encodes funnels as a text that a store keeps: JSON that is the same for equal funnels and decodes to equal funnels.
///
/// The text holds the complete definitions with their descriptions. ``Funnel/countsLike(_:)`` compares what is counted.
/// A key that comes later is optional, so that older texts can still be read. Only a text that an older program would
/// read wrongly needs a greater version.
package enum FunnelDefinitions {
    // Versions 1 to 5 were of builds before the first release. No store has them.
    private static let version = 6

    private struct Document: Codable {
        let version: Int
        let funnels: [Funnel]
    }

    // It is read first, because a newer version may have changed the rest.
    private struct Version: Decodable {
        let version: Int
    }

    /// Encodes funnels, in their order.
    ///
    /// The keys are sorted and numbers have their shortest form, so that equal funnels give equal bytes.
    package static func encode(_ funnels: [Funnel]) -> String {
        String(decoding: json(Document(version: version, funnels: funnels)), as: UTF8.self)
    }

    /// The JSON of a document or of a part of it, UTF-8.
    static func json(_ value: some Encodable) -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        encoder.nonConformingFloatEncodingStrategy = .convertToString(
            positiveInfinity: "inf",
            negativeInfinity: "-inf",
            nan: "nan"
        )
        // It holds strings and numbers only, and JSON has a form for each of them.
        guard let data = try? encoder.encode(value) else {
            preconditionFailure("a set of funnels has no JSON form")
        }
        return Array(data)
    }

    /// Decodes a text of ``encode(_:)``.
    ///
    /// - Throws: ``StoredDefinitionsError`` where the text has another form or a newer version.
    package static func decode(_ text: String) throws(StoredDefinitionsError) -> [Funnel] {
        let decoder = JSONDecoder()
        decoder.nonConformingFloatDecodingStrategy = .convertFromString(
            positiveInfinity: "inf",
            negativeInfinity: "-inf",
            nan: "nan"
        )
        let data = Data(text.utf8)
        do {
            let found = try decoder.decode(Version.self, from: data).version
            guard found <= version else { throw StoredDefinitionsError.newer(found) }
            guard found == version else { throw StoredDefinitionsError.damaged }
            return try decoder.decode(Document.self, from: data).funnels
        } catch let error as StoredDefinitionsError {
            throw error
        } catch {
            throw .damaged
        }
    }
}

/// The definitions in a store cannot be read.
package enum StoredDefinitionsError: Error, Sendable, Hashable {
    /// The text does not have the form that this program writes.
    case damaged
    /// The text has a version that this program does not know.
    case newer(Int)
}

extension StoredDefinitionsError: CustomStringConvertible {
    /// The mistake, as a part of a sentence.
    package var description: String {
        switch self {
        case .damaged: "the kept funnel definitions are damaged"
        case .newer(let version):
            "the kept funnel definitions are of version \(version), which is newer than this program"
        }
    }
}
