/// Which parts the signatures of some funnels have. Funnels without exclusions, sums and a field to count by have none
/// but steps and a breakdown value.
final class SignatureLayout: Sendable {
    let funnelCount: Int
    /// For each funnel, whether it has exclusions.
    let hasExclusions: [Bool]
    /// For each funnel, whether it counts by a field.
    let hasActors: [Bool]
    /// For each funnel, its sums among those of all funnels.
    let sums: [Range<Int>]
    /// For each sum, in the order of funnels and steps, the bit of its step.
    let sumSteps: [UInt32]
    /// Whether a signature has more than steps and breakdown values.
    let hasExtras: Bool
    /// The greatest number of texts that an event refers to, without its id.
    let greatestTextCount: Int

    init(_ funnels: [Funnel]) {
        funnelCount = funnels.count
        hasExclusions = funnels.map { !$0.exclusions.isEmpty }
        hasActors = funnels.map { if case .by = $0.count { true } else { false } }
        var sums: [Range<Int>] = []
        var sumSteps: [UInt32] = []
        for funnel in funnels {
            let start = sumSteps.count
            for (index, step) in funnel.steps.enumerated() where step.sum != nil { sumSteps.append(1 << UInt32(index)) }
            sums.append(start..<sumSteps.count)
        }
        self.sums = sums
        self.sumSteps = sumSteps
        hasExtras = !sumSteps.isEmpty || hasExclusions.contains(true) || hasActors.contains(true)
        // The source, the session, and for each funnel a breakdown value and a value to count by; for each sum a unit.
        greatestTextCount = 2 + 2 * funnels.count + sumSteps.count
    }

    /// A match without any step, which has an element for each funnel and each sum.
    var emptyMatch: EventMatch { EventMatch(funnelCount: funnelCount, sumCount: sumSteps.count) }
}
