import FlowEvents
import FunnelStore
import FunnelStoreTestSupport
import Funnels

/// Counts of numbered events. Each funnel counts every event, with a number that names the funnel's definition, so that
/// a count shows by which definition and of which event it is.
enum TaggedCount {
    static let install = StoreFixtures.bytes("a")

    /// Returns the text that a store should keep of the funnels' definitions.
    static func definitions(_ funnels: [Funnel]) -> String {
        funnels.map { "\($0.name)/\($0.windowMilliseconds / 60_000)" }.joined(separator: ",")
    }

    /// Returns what a funnel counts of some events.
    static func counts(_ funnel: Funnel, _ events: Range<Int64>) -> [Int: Int] {
        let name = funnel.name == "first" ? 1 : 2
        let tag = name * 1_000_000_000 + Int(funnel.windowMilliseconds / 60_000) * 10_000
        return Dictionary(uniqueKeysWithValues: events.map { (tag + Int($0), 1) })
    }

    static func segment(_ funnel: Funnel, at index: Int, _ events: Range<Int64>) -> SummaryDelta {
        SummaryDelta.numbered(StoreFixtures.key(index, nil, day: 1), counts(funnel, events))
    }

    /// Returns the row of the only install when all events before an offset are counted.
    static func state(_ funnels: [Funnel], through offset: Int64) -> String {
        "\(definitions(funnels))|\(offset)"
    }

    /// Returns the offset through which a row is counted.
    ///
    /// - Throws: ``Mixed`` if other funnels have written the row, as `DamagedState` for a real one.
    static func offset(of row: StoredInstall, _ funnels: [Funnel]) throws -> Int64 {
        let parts = String(decoding: row.state, as: UTF8.self).split(separator: "|")
        guard parts.count >= 2, parts[0] == definitions(funnels), let offset = Int64(parts[1]),
            parts.dropFirst(2).allSatisfy({ $0 == parts[0] })
        else {
            throw Mixed("the funnels \(definitions(funnels)) find the row \(parts)")
        }
        return offset
    }

    /// Compares a summary with the brute force: every event before the offset, by the definitions of these funnels.
    static func check(_ summary: any SummarySource, _ funnels: [Funnel], offset: Int64) throws {
        guard try summary.quality().events == offset else {
            throw Mixed("\(try summary.quality().events) events of \(offset)")
        }
        for (index, funnel) in funnels.enumerated() {
            let counts = try summary.counts(funnel: index, byValue: false)
            let expected = [StoreFixtures.key(index, nil, day: 1): Self.counts(funnel, 0..<offset)]
            guard counts == expected else {
                throw Mixed("the funnels \(definitions(funnels)) find \(counts) at \(index) before \(offset)")
            }
        }
    }
}

/// Counts or rows that are of other funnels, or of other events, than they should be.
struct Mixed: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) {
        self.description = description
    }
}
