/// What became of one attempt: of the way that begins with one event of the first step.
///
/// ```
/// home 10:00 → tour 10:01 → paywall 10:02       (home, tour?, paywall, purchase)
/// steps: home, tour, paywall   rank: 2   ending: .open
/// ```
///
/// Installs keep the outcome of each day that counts, the summary counts attempts by their outcomes, and a report makes its
/// figures of these counts.
public struct Outcome: Sendable, Hashable {
    /// The steps that the attempt met, step k of the funnel as bit k − 1.
    public let steps: UInt32
    // A byte, because an install has an outcome for each actor and day.
    private let rankByte: UInt8
    /// Why it went no further.
    public let ending: Ending

    /// - Parameter rank: the number of required steps met.
    init(steps: UInt32, rank: Int, ending: Ending = .open) {
        self.steps = steps
        rankByte = UInt8(rank)
        self.ending = ending
    }

    /// The number of required steps that it met; 1 or more. Of two attempts of an actor the one with the greater rank counts.
    @inline(__always)
    public var rank: Int { Int(rankByte) }

    /// Whether the attempt met a step, the first step as 0.
    public func meets(_ step: Int) -> Bool { steps & 1 << UInt32(step) != 0 }

    /// How an attempt ended.
    public enum Ending: Sendable, Hashable {
        /// No later event within the window met the next step.
        case open
        /// An exclusion ended it.
        case excluded
        /// It met all steps.
        ///
        /// - Parameter entries: how many of the actor's events matched step 1 from the first event of the attempt to its
        ///   last: 1 to ``Outcome/greatestEntryCount``, which stands for more, too. 0 in a funnel of one step.
        case complete(entries: UInt8)
    }

    /// More entries are not told apart.
    static let greatestEntryCount: UInt8 = 5
}

/// The indices of steps that are bits of a number: 0 and 2 for the bits 101.
struct StepIndices: Sequence, IteratorProtocol {
    private var rest: UInt32

    init(_ steps: UInt32) { rest = steps }

    @inline(__always)
    mutating func next() -> Int? {
        guard rest != 0 else { return nil }
        defer { rest &= rest - 1 }
        return rest.trailingZeroBitCount
    }
}
