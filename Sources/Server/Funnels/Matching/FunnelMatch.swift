/// What an event means to one funnel.
struct FunnelMatch: Hashable {
    /// The steps that the event matches, step k as bit k − 1.
    var steps: UInt32 = 0
    /// The gaps between required steps in which the event ends an attempt: the gap behind the k-th required step as bit k − 1.
    var exclusions: UInt32 = 0
    /// Whether the event tells where those went who came no further.
    var isNext = false

    /// Whether the event matches a step or an exclusion.
    @inline(__always)
    var takesPart: Bool { steps | exclusions != 0 }

    /// Whether the funnel needs the event.
    @inline(__always)
    var isNeeded: Bool { takesPart || isNext }

    /// Adds what another candidate of the funnel says of the event.
    @inline(__always)
    mutating func formUnion(_ other: FunnelMatch) {
        steps |= other.steps
        exclusions |= other.exclusions
        isNext = isNext || other.isNext
    }
}
