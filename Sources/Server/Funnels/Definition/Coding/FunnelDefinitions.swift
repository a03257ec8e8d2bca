#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Encodes funnels as a text that a store keeps: JSON that is the same for equal funnels and decodes to equal funnels.
///
/// The text holds the complete definitions with their descriptions. ``Funnel/countsLike(_:)`` compares what is counted.
package enum FunnelDefinitions {
    /// Encodes funnels, in their order.
    ///
    /// The keys are sorted and numbers have their shortest form, so that equal funnels give equal bytes.
    package static func encode(_ funnels: [Funnel]) -> String {
        String(decoding: json(DefinitionsDocument(funnels: funnels.map { .init($0) })), as: UTF8.self)
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
            let version = try decoder.decode(DefinitionsVersion.self, from: data).version
            guard version <= DefinitionsDocument.currentVersion else { throw StoredDefinitionsError.newer(version) }
            guard version == DefinitionsDocument.currentVersion else { throw StoredDefinitionsError.damaged }
            return try decoder.decode(DefinitionsDocument.self, from: data).funnels.map { try $0.funnel }
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
