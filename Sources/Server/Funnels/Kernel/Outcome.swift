/// What became of one attempt: of the way that begins with one event of the first step.
///
/// ```
/// home 10:00 → tour 10:01 → paywall 10:02       (home, tour?, paywall, purchase)
/// steps: home, tour, paywall   rank: 2   ending: .open
/// ```
///
/// Steps are bits: step k of the funnel is bit k − 1 of ``steps``.
struct Outcome: Equatable {
    /// The steps that the attempt met.
    var steps: UInt32
    /// The number of required steps that it met; 1 or more. Of two attempts of an actor the one with the greater rank counts.
    var rank: Int
    /// Why it went no further.
    var ending: Ending
    /// The event where the actor went next, as ``ActorEvent/event``; `nil` where there is none, where all steps were met, and
    /// where the funnel does not ask.
    var next: Int?

    /// How an attempt ended.
    enum Ending: Equatable {
        /// No later event within the window met the next step.
        case open
        /// An exclusion ended it.
        case excluded
        /// It met all steps.
        ///
        /// - Parameter entries: how many of the actor's events matched step 1 from the first event of the attempt to its
        ///   last: 1 to ``Outcome/greatestEntryCount``, which stands for more, too. 0 in a funnel of one step.
        case complete(entries: Int)
    }

    /// More entries are not told apart.
    static let greatestEntryCount = 5
}

extension Outcome.Ending {
    /// The ending of an attempt of a known rank in one number: of a complete attempt its entries, else 1 for an exclusion.
    var code: UInt8 {
        switch self {
        case .open: 0
        case .excluded: 1
        case .complete(let entries): UInt8(entries)
        }
    }

    /// - Parameters:
    ///   - code: a ``code``.
    ///   - isComplete: whether the attempt met all steps.
    init(code: UInt8, isComplete: Bool) {
        self = isComplete ? .complete(entries: Int(code)) : code == 0 ? .open : .excluded
    }
}
