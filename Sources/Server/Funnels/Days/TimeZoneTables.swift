/// The transitions of the time zones of some funnels.
///
/// A store keeps those of its funnels from when it first counts in them, so that a newer time zone database changes no
/// day that was counted already.
public struct TimeZoneTables: Sendable, Hashable {
    private var tables: [String: TimeZoneTable] = [:]

    /// Creates a value without transitions: each time zone is as this machine's database has it.
    public init() {}

    /// Adds a table, or replaces the one of the same time zone.
    package mutating func set(_ table: TimeZoneTable) { tables[table.name] = table }

    /// The table of a time zone; `nil` where there is none.
    package subscript(name: String) -> TimeZoneTable? { tables[name] }

    /// The table of a funnel's time zone, else that of this machine; that of UTC where neither is known.
    package func table(of funnel: Funnel) -> TimeZoneTable {
        if funnel.timeZone == .utc { return .utc }
        let name = funnel.timeZone.name
        return tables[name] ?? TimeZoneTable(named: name) ?? .utc
    }

    /// The names of the time zones of funnels, without UTC.
    package static func names(of funnels: [Funnel]) -> [String] {
        Set(funnels.map(\.timeZone.name)).subtracting([FunnelTimeZone.utc.name]).sorted()
    }
}
