#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension TimeZoneTable {
    /// The table as the bytes that a store keeps: JSON. Equal tables have equal bytes.
    package var encoded: [UInt8] { FunnelDefinitions.json(self) }

    /// Reads the bytes of ``encoded``.
    ///
    /// - Throws: ``DamagedTimeZoneTable`` where the bytes have another form.
    package init(decoding bytes: [UInt8]) throws(DamagedTimeZoneTable) {
        guard let table = try? JSONDecoder().decode(Self.self, from: Data(bytes)), table.isPossible else {
            throw DamagedTimeZoneTable()
        }
        self = table
    }

    private var isPossible: Bool {
        guard starts.first == .min, starts.count == offsets.count, starts[starts.count - 1] < Self.end else {
            return false
        }
        return zip(starts, starts.dropFirst()).allSatisfy(<)
            && offsets.allSatisfy { $0.magnitude < UInt64(Self.maximumOffset) }
    }
}

/// The time zone table in a store cannot be read.
package struct DamagedTimeZoneTable: Error, Sendable, Hashable, CustomStringConvertible {
    /// The mistake, as a part of a sentence.
    package var description: String { "the kept time zone table is damaged" }
}
