/// What an event means to one funnel.
struct FunnelMatch: Hashable {
    /// The steps that the event matches, step k as bit k − 1.
    var steps: UInt32
    // The gaps as below, and the highest bit, which no gap has: a funnel has 32 steps at most.
    private var rest: UInt32

    init(steps: UInt32 = 0, exclusions: UInt32 = 0) {
        self.steps = steps
        rest = exclusions
    }

    /// The gaps between required steps in which the event ends an attempt: the gap behind the k-th required step as bit k − 1.
    @inline(__always)
    var exclusions: UInt32 {
        get { rest & ~Self.nextBit }
        set { rest = rest & Self.nextBit | newValue }
    }

    /// Whether the event tells where those went who came no further.
    @inline(__always)
    var isNext: Bool {
        get { rest & Self.nextBit != 0 }
        set { rest = newValue ? rest | Self.nextBit : exclusions }
    }

    /// Whether the event matches a step or an exclusion.
    @inline(__always)
    var takesPart: Bool { steps | exclusions != 0 }

    /// Whether the funnel needs the event.
    @inline(__always)
    var isNeeded: Bool { steps | rest != 0 }

    private static let nextBit: UInt32 = 1 << 31

    /// Adds what another candidate of the funnel says of the event.
    @inline(__always)
    mutating func formUnion(_ other: FunnelMatch) {
        steps |= other.steps
        rest |= other.rest
    }
}
