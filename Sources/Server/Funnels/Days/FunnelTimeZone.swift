/// The time zone whose local dates are the days of a funnel.
///
/// ```swift
/// let zone = try FunnelTimeZone("Europe/Berlin")
/// ```
public struct FunnelTimeZone: Sendable, Hashable, Codable {
    /// The name in the IANA time zone database; `UTC` for UTC and all zones that are always the same as UTC.
    public let name: String

    /// UTC.
    public static let utc = FunnelTimeZone(stored: "UTC")

    /// Creates a time zone by its name.
    ///
    /// - Parameter name: `UTC`, or a name such as `Europe/Berlin`.
    /// - Throws: ``FunnelDefinitionError`` where this machine does not know the name.
    public init(_ name: String) throws(FunnelDefinitionError) {
        guard let table = TimeZoneTable(named: name) else {
            throw FunnelDefinitionError(
                funnel: "",
                message: "unknown time zone '\(name)': expected UTC or a name of the IANA time zone database, such as "
                    + "Europe/Berlin"
            )
        }
        self.init(stored: table.isUTC ? "UTC" : name)
    }

    /// Creates the time zone of a stored definition. This machine may not know it, because a store also keeps the
    /// zone's ``TimeZoneTable``.
    package init(stored name: String) {
        self.name = name
    }
}
