/// What the demo's paywall looks like. Half of the installs see each, so that the funnel `paywall-layout-test` can tell which
/// sells more; the raw value is the `item_id` of the paywall's events.
public enum PaywallLayout: String, Sendable, CaseIterable {
    /// A list of what is sold. It is what the others are compared with.
    case plain
    /// A video of it.
    case video

    /// Returns the layout of an install: always the same one, and without asking a server.
    ///
    /// It is a hash of the id, FNV-1a, because `Hasher` has another seed in every launch.
    public static func assigned(to installID: String) -> PaywallLayout {
        let hash = installID.utf8.reduce(0xcbf2_9ce4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
        // The upper half, because the lowest bit of this hash depends on the lowest bits of the bytes only.
        return allCases[Int((hash >> 32) % UInt64(allCases.count))]
    }
}
