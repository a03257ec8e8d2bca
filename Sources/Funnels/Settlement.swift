/// What a commit interval has changed: all that a store has to take over, but for the offsets.
public struct Settlement: Sendable {
    /// The installs that have new evidence, or new numbers.
    public var installs: [InstallWrite]
    /// What their results add to the summary.
    public var summary: [SummaryDelta]
    /// The repeats among the events, by partition.
    public var duplicates: [Int32: Int64]
    /// How the sums over the installs change, by a partition that the install has events in.
    public var completeness: [Int32: Completeness]
}

/// A stored state that cannot be read: the store is damaged, or was written by another version.
public struct DamagedState: Error, Sendable, Hashable {
    /// The install whose state it is, as far as it is text.
    public var install: String
}
