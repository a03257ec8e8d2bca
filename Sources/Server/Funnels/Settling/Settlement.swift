/// What a commit interval has changed: all that a store has to take over, but for the offsets.
public struct Settlement: Sendable {
    /// The installs that have new evidence, or new numbers.
    public var installs: [InstallWrite]
    /// What their results add to the summary.
    public var summary: [SummaryDelta]
    /// The repeats among the events, by partition.
    public var duplicates: [Int32: Int64]
    /// How the sums over the installs change, by a partition that the install has events in.
    public var completeness: [Int32: Completeness] = [:]
    /// The events that came after the evidence that they would have to be judged by was removed, by partition.
    ///
    /// It happens only in a partition that was added to the topic: see ``EvidenceHorizon``.
    public var late: [Int32: Int64] = [:]
    /// The installs that were capped, see ``FunnelBounds/standardEvidenceLimit``, by the partition of their last event.
    public var capped: [Int32: Int64] = [:]
}

/// A stored state that cannot be read: the store is damaged, or was written by another version.
public struct DamagedState: Error, Sendable, Hashable {
    /// The install whose state it is, as far as it is text.
    public var install: String
}
