#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A set of funnels as a text that a store can keep: JSON that is the same for the same funnels, and reads back exactly.
///
/// The text holds the whole definitions, descriptions included; ``Funnel/countsLike(_:)`` compares what counts.
public enum FunnelDefinitions {
    /// Writes funnels, in their order.
    ///
    /// The keys are sorted and numbers are in their shortest form, so that equal funnels give equal bytes.
    public static func encode(_ funnels: [Funnel]) -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        encoder.nonConformingFloatEncodingStrategy = .convertToString(
            positiveInfinity: "inf",
            negativeInfinity: "-inf",
            nan: "nan"
        )
        let document = DefinitionsDocument(
            version: DefinitionsDocument.currentVersion,
            funnels: funnels.map { .init($0) }
        )
        // Strings and numbers, the infinite ones provided for, are all that is encoded: JSON has a form for each.
        guard let data = try? encoder.encode(document) else {
            preconditionFailure("a set of funnels has no JSON form")
        }
        return String(decoding: data, as: UTF8.self)
    }

    /// Reads what ``encode(_:)`` wrote.
    ///
    /// - Throws: ``FunnelDefinitionsError`` where the text is something else, or from a newer version.
    public static func decode(_ text: String) throws(FunnelDefinitionsError) -> [Funnel] {
        let decoder = JSONDecoder()
        decoder.nonConformingFloatDecodingStrategy = .convertFromString(
            positiveInfinity: "inf",
            negativeInfinity: "-inf",
            nan: "nan"
        )
        let data = Data(text.utf8)
        do {
            let version = try decoder.decode(DefinitionsVersion.self, from: data).version
            guard version == DefinitionsDocument.currentVersion else { throw FunnelDefinitionsError.newer(version) }
            return try decoder.decode(DefinitionsDocument.self, from: data).funnels.map { try $0.funnel }
        } catch let error as FunnelDefinitionsError {
            throw error
        } catch {
            throw .damaged
        }
    }
}

/// Why a text is not a set of funnel definitions.
public enum FunnelDefinitionsError: Error, Sendable, Hashable {
    /// The text is not what this program writes.
    case damaged
    /// The text is of a version that this program does not know.
    case newer(Int)
}

extension FunnelDefinitionsError: CustomStringConvertible {
    /// What is wrong, as a part of a sentence.
    public var description: String {
        switch self {
        case .damaged: "the kept funnel definitions are damaged"
        case .newer(let version):
            "the kept funnel definitions are of version \(version), which is newer than this program"
        }
    }
}
