/// The rules of one funnel as the kernel needs them. Unlike a ``Funnel``, copying it counts no references.
struct FunnelRules {
    var stepCount = 0
    /// The steps that must be met, as bits.
    private var requiredSteps: UInt32 = 0
    /// The steps with a sum, as bits.
    private var summedSteps: UInt32 = 0
    /// The number of steps that must be met.
    private(set) var requiredCount = 0
    /// In milliseconds.
    private(set) var window: Int64 = 0
    private(set) var isFirstOnly = false
    private(set) var hasExclusions = false
    /// Whether the funnel asks where those went who came no further.
    private(set) var hasNext = false
    private(set) var actors = Actors.installs

    /// What the funnel counts.
    enum Actors {
        case installs, sessions, values

        fileprivate init(_ counting: Counting) {
            switch counting {
            case .installs: self = .installs
            case .sessions: self = .sessions
            case .by: self = .values
            }
        }
    }

    init() {}

    init(_ funnel: Funnel) {
        stepCount = funnel.steps.count
        for (step, definition) in funnel.steps.enumerated() where !definition.isOptional {
            requiredSteps |= 1 << UInt32(step)
        }
        for (step, definition) in funnel.steps.enumerated() where definition.sum != nil {
            summedSteps |= 1 << UInt32(step)
        }
        requiredCount = requiredSteps.nonzeroBitCount
        window = funnel.windowMilliseconds
        isFirstOnly = funnel.entry == .first
        hasExclusions = !funnel.exclusions.isEmpty
        hasNext = funnel.next != nil
        actors = Actors(funnel.count)
    }

    /// The number of gaps between required steps.
    var gapCount: Int { requiredCount - 1 }

    /// Whether there are optional steps.
    @inline(__always)
    var hasOptional: Bool { requiredCount < stepCount }

    /// The index of the required step behind `rank` others.
    @inline(__always)
    func required(_ rank: Int) -> Int {
        guard hasOptional else { return rank }
        var rest = requiredSteps
        for _ in 0..<rank { rest &= rest - 1 }
        return rest.trailingZeroBitCount
    }

    /// The number of sums that an attempt adds to which met these steps.
    func sumCount(of steps: UInt32) -> Int { (steps & summedSteps).nonzeroBitCount }

    /// Whether a step must be met.
    func isRequired(_ step: Int) -> Bool { requiredSteps & 1 << UInt32(step) != 0 }

    /// The optional steps between the last of the first `rank` required steps and the next one.
    func optionalSteps(behind rank: Int) -> Range<Int> { (required(rank - 1) + 1)..<required(rank) }
}
