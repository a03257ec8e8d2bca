/// What an event means to one funnel.
struct FunnelMatch: Hashable {
    /// The steps that the event matches, step k as bit k − 1.
    var steps: UInt32 = 0
    /// The gaps between required steps in which the event ends an attempt: the gap behind the k-th required step as bit k − 1.
    var exclusions: UInt32 = 0
    /// Whether the event tells where those went who came no further.
    var isNext = false
    /// The steps that the event matches where it lacks the field that the funnel counts by. It cannot meet them. They only say
    /// where it stands in the order of events (rule 3).
    var stepsWithoutActor: UInt32 = 0

    /// The lowest step that the event matches, from 1; 0 for an event that matches none.
    @inline(__always)
    var lowestStep: Int {
        let steps = steps | stepsWithoutActor
        return steps == 0 ? 0 : steps.trailingZeroBitCount + 1
    }

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
