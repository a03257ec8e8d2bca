import Foundation
import Testing

@testable import StoreNotifications

/// The tables of the article, compared with the code.
@Suite struct ArticleTests {
    /// The rows of a table, each with its cells.
    private static func rows(below header: String) throws -> [[String]] {
        let path = "../../../Sources/Server/StoreNotifications/StoreNotifications.docc/PurchasesAndTheStoresServer.md"
        let file = URL(filePath: #filePath).appending(path: path).standardizedFileURL
        let lines = try String(contentsOf: file, encoding: .utf8).components(separatedBy: "\n")
        let start = try #require(lines.firstIndex { $0.hasPrefix("| \(header) |") })
        return lines[(start + 2)...].prefix { $0.hasPrefix("|") }.map { line in
            line.split(separator: "|", omittingEmptySubsequences: false).dropFirst().dropLast()
                .map { $0.trimmingCharacters(in: .whitespaces) }
        }
    }

    private static func names(in cell: String) -> [String] {
        cell.matches(of: /`([A-Z_]+)`/).map { String($0.1) }
    }

    private static func kind(in cell: String) -> StoreEvent.Kind? {
        cell.firstMatch(of: /^`(store_[a-z]+)`/).flatMap { StoreEvent.Kind(rawValue: String($0.1)) }
    }

    @Test func `the article has each of the App Store's types, with its event`() throws {
        let rows = try Self.rows(below: "App Store's type")
        #expect(Set(rows.flatMap { Self.names(in: $0[0]) }) == AppStoreKind.types)
        for row in rows {
            let subtypes: [String?] = Self.names(in: row[1])
            for type in Self.names(in: row[0]) {
                for subtype in subtypes.isEmpty ? [nil, "A_NEW_ONE"] : subtypes {
                    #expect(AppStoreKind.kind(of: type, subtype) == Self.kind(in: row[2]), "\(type) \(subtype ?? "")")
                }
            }
        }
    }

    @Test func `the article has each of RevenueCat's types, with its event`() throws {
        let rows = try Self.rows(below: "RevenueCat's type")
        #expect(Set(rows.flatMap { Self.names(in: $0[0]) }) == RevenueCatKind.types)
        for row in rows {
            for type in Self.names(in: row[0]) {
                let reason = type == "CANCELLATION" ? #","cancel_reason":"CUSTOMER_SUPPORT""# : ""
                let text = #"{"type":"\#(type)","id":"1"\#(reason)}"#
                let event = try JSONDecoder().decode(RevenueCatEvent.self, from: Data(text.utf8))
                #expect(RevenueCatKind.kind(of: event) == Self.kind(in: row[1]), "\(type)")
            }
        }
    }
}
