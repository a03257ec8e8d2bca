import FlowEvents

/// A funnel: steps that an actor takes in order, within a window from the first step.
///
/// The consumer and the report use the same type. A funnel is built in code, as here or with ``FunnelBuilder``, or read
/// from `config/funnels.yaml`.
///
/// ```swift
/// let funnel = try Funnel(
///     name: "home-to-paywall",
///     window: .seconds(30 * 60),
///     steps: [
///         Step(name: "home", event: "screen_view", where: ["screen": "home"]),
///         Step(name: "paywall", event: "screen_view", where: ["screen": "paywall"]),
///     ]
/// )
/// ```
public struct Funnel: Sendable, Hashable {
    // What can be set is set in a copy only, see CountingIdentity.

    /// The name that reports and commands use: letters, digits, `-`, `_` and `.`; unique in a set of funnels.
    public let name: String
    /// A description for people. It does not affect the counts.
    public internal(set) var description: String?
    /// The actors that are counted.
    public let count: Counting
    /// The events of an actor that start an attempt.
    public let entry: Entry
    /// The longest time from an attempt's first event to its last, inclusive, in whole milliseconds.
    public var window: Duration { .milliseconds(windowMilliseconds) }
    /// ``window`` in milliseconds, the unit of events' times.
    package let windowMilliseconds: Int64
    /// The values by which the counts are broken down; `nil` for no breakdown.
    public internal(set) var breakdown: Breakdown?
    /// The time zone of the days on which attempts begin.
    public let timeZone: FunnelTimeZone
    /// The events that end an attempt between two steps.
    public internal(set) var exclusions: [Exclusion]
    /// Asks where those went who came no further; `nil` for no such question.
    public internal(set) var next: NextEvent?
    /// The test whose variants are the values of the breakdown; `nil` for none. It does not affect the counts.
    public internal(set) var experiment: Experiment?
    /// The steps, in order: 1 to 32 steps with unique names.
    public internal(set) var steps: [Step]

    /// The greatest number of steps: the engine keeps them as the bits of a 32-bit word.
    public static let maximumStepCount = 32
    /// The greatest number of optional steps.
    public static let maximumOptionalStepCount = 8

    /// Creates a funnel.
    ///
    /// - Parameters:
    ///   - name: one or more letters, digits, `-`, `_` and `.`.
    ///   - description: a description for people.
    ///   - count: the actors that are counted.
    ///   - entry: the events of an actor that start an attempt.
    ///   - window: the longest time from an attempt's first event to its last: at least 1 millisecond and at most
    ///     100,000 days. Fractions of a millisecond are dropped.
    ///   - breakdown: the values by which the counts are broken down.
    ///   - timeZone: the time zone of the days on which attempts begin.
    ///   - exclusions: the events that end an attempt between two steps.
    ///   - next: asks where those went who came no further.
    ///   - experiment: the test whose variants are the values of the breakdown, which then is one field of the first step.
    ///   - steps: the steps, in order.
    /// - Throws: ``FunnelDefinitionError`` where a value is outside these bounds, a step's name is not unique, an
    ///   exclusion does not go from one required step to a later one, a step that must be met is optional, a breakdown
    ///   or an experiment is none that a report could show, a condition compares with NaN, or a sum has less than 0 or
    ///   more than 6 decimals.
    public init(
        name: String,
        description: String? = nil,
        count: Counting = .installs,
        entry: Entry = .any,
        window: Duration,
        breakdown: Breakdown? = nil,
        timeZone: FunnelTimeZone = .utc,
        exclusions: [Exclusion] = [],
        next: NextEvent? = nil,
        experiment: Experiment? = nil,
        steps: [Step]
    ) throws(FunnelDefinitionError) {
        self.name = name
        self.description = description
        self.count = count
        self.entry = entry
        windowMilliseconds = window.wholeMilliseconds
        self.breakdown = breakdown
        self.timeZone = timeZone
        self.exclusions = exclusions
        self.next = next
        self.experiment = experiment
        self.steps = steps
        try check()
    }

    /// The longest window, 100,000 days, in milliseconds. The sum with the time of any event does not overflow.
    package static let maximumWindow: Int64 = 100_000 * 86_400_000
}

extension Funnel: Codable {
    private enum CodingKeys: CodingKey {
        case name, description, count, entry, windowMilliseconds, breakdown, timeZone, exclusions, next, experiment,
            steps
    }

    /// Reads a funnel as a store keeps it.
    ///
    /// - Throws: `DecodingError`, and ``FunnelDefinitionError`` where it is no funnel.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        try self.init(
            name: container.decode(String.self, forKey: .name),
            description: container.decodeIfPresent(String.self, forKey: .description),
            count: container.decode(Counting.self, forKey: .count),
            entry: container.decode(Entry.self, forKey: .entry),
            window: .milliseconds(container.decode(Int64.self, forKey: .windowMilliseconds)),
            breakdown: container.decodeIfPresent(Breakdown.self, forKey: .breakdown),
            timeZone: container.decode(FunnelTimeZone.self, forKey: .timeZone),
            exclusions: container.decode([Exclusion].self, forKey: .exclusions),
            next: container.decodeIfPresent(NextEvent.self, forKey: .next),
            experiment: container.decodeIfPresent(Experiment.self, forKey: .experiment),
            steps: container.decode([Step].self, forKey: .steps)
        )
    }
}
