public import FlowEvents

/// A funnel: the steps that an actor is to take, in order, within a window from the first.
///
/// One type serves the app, the consumer and the report. It can be built in code, as here, or read from
/// `config/funnels.yaml`.
///
/// ```swift
/// let funnel = try Funnel(
///     name: "home-to-paywall",
///     window: .milliseconds(1_800_000),
///     steps: [
///         Step(name: "home", event: "screen_view", where: ["screen": "home"]),
///         Step(name: "paywall", event: "screen_view", where: ["screen": "paywall"]),
///     ]
/// )
/// ```
public struct Funnel: Sendable, Hashable {
    /// The name that reports and commands use: letters, digits, `-`, `_` and `.`; unique in a set of funnels.
    public let name: String
    /// What the funnel is about, for people. It takes no part in what is counted.
    public let description: String?
    /// Who is counted.
    public let count: Counting
    /// How long after an attempt's first event the last may come, in whole milliseconds, the bound included.
    public let window: Int64
    /// The field of the first step's event by whose values the counts are broken down.
    public let breakdown: Field?
    /// The steps, in order: 1 to 32, their names unique.
    public let steps: [Step]

    /// The most steps that a funnel may have: they are kept as the bits of a 32-bit word.
    public static let maximumStepCount = 32

    /// Creates a funnel.
    ///
    /// - Parameter window: how long after an attempt's first event the last may come; more than 0. What is finer than
    ///   a millisecond is cut off.
    /// - Throws: ``FunnelDefinitionError`` where the contract's rules for a definition do not hold.
    public init(
        name: String,
        description: String? = nil,
        count: Counting = .installs,
        window: Duration,
        breakdown: Field? = nil,
        steps: [Step]
    ) throws(FunnelDefinitionError) {
        guard !name.isEmpty, name.utf8.allSatisfy(Self.isNameByte) else { throw .invalidName(name) }
        let (seconds, attoseconds) = window.components
        let (whole, overflow) = seconds.multipliedReportingOverflow(by: 1000)
        let milliseconds = whole &+ attoseconds / 1_000_000_000_000_000
        guard !overflow, milliseconds > 0, milliseconds <= Self.maximumWindow else {
            throw .invalidWindow(funnel: name)
        }
        guard (1...Self.maximumStepCount).contains(steps.count) else {
            throw .invalidStepCount(funnel: name, count: steps.count)
        }
        var names: Set<[UInt8]> = []
        for step in steps where !names.insert(Array(step.name.utf8)).inserted {
            throw .duplicateStep(funnel: name, step: step.name)
        }
        self.name = name
        self.description = description
        self.count = count
        self.window = milliseconds
        self.breakdown = breakdown
        self.steps = steps
    }

    /// The longest window, in milliseconds: 100,000 days. Adding it to any time that an event can have never overflows.
    public static let maximumWindow: Int64 = 100_000 * 86_400_000

    private static func isNameByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "."):
            true
        default: false
        }
    }
}

/// Whom a funnel counts.
public enum Counting: String, Sendable, Hashable, CaseIterable {
    /// Each `install_id` once.
    case installs
    /// Each pair of `install_id` and `session_id` once; an event without a session is not part of the funnel.
    case sessions
}
