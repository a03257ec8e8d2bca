public import FlowEvents

/// One of those behind a figure: an actor of a funnel with the attempt by which it counts.
public struct FunnelActor: Sendable, Hashable {
    /// The `install_id`.
    public var install: String
    /// The session, or the value that is counted; `nil` where installs are counted.
    public var actor: String?
    /// The day of the attempt's first event.
    public var day: Day
    /// The time of the attempt's first event; `nil` where the store has removed its events.
    public var startedAt: Timestamp?
    /// The number of required steps that the attempt met.
    public var stepsMet: Int
    /// The breakdown value of the attempt; `nil` without a breakdown.
    public var value: BreakdownValue?

    /// Creates an actor from its parts.
    public init(
        install: String,
        actor: String?,
        day: Day,
        startedAt: Timestamp?,
        stepsMet: Int,
        value: BreakdownValue?
    ) {
        self.install = install
        self.actor = actor
        self.day = day
        self.startedAt = startedAt
        self.stepsMet = stepsMet
        self.value = value
    }
}
