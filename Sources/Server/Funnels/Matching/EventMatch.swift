/// What one event means to each funnel. ``FunnelMatcher`` fills it.
///
/// A collector keeps one and fills it again for each event, so that an event allocates no memory.
struct EventMatch: Hashable {
    /// For each funnel, the steps that the event matches, step k as bit k − 1.
    var steps: [UInt32]
    /// For each funnel, the gaps that the event's exclusions cover, the gap from step k to step k + 1 as bit k − 1.
    var exclusions: [UInt32]
    /// For each funnel with a breakdown, its value where the event can start an attempt.
    var values: [SignatureTable.Value]
    /// For each funnel that counts by a field, the field's value as text where the event matches a step or an exclusion.
    var actors: [SignatureTable.Value]
    /// For each step with a sum, in the order of funnels and steps, what the event adds to it.
    var amounts: [StepAmount]

    init(funnelCount: Int, sumCount: Int) {
        let none = SignatureTable.Value(wrappedValue: nil)
        steps = Array(repeating: 0, count: funnelCount)
        exclusions = steps
        values = Array(repeating: none, count: funnelCount)
        actors = values
        amounts = Array(repeating: .notMatched, count: sumCount)
    }

    // Most matches have nothing but steps and values.
    func hash(into hasher: inout Hasher) {
        for mask in steps { hasher.combine(mask) }
        for value in values { hasher.combine(value) }
        for actor in actors where actor.wrappedValue != nil { hasher.combine(actor) }
        for amount in amounts { hasher.combine(amount) }
    }

    /// Makes it the match of an event that takes part in no funnel, and keeps the memory.
    mutating func removeAll(_ layout: SignatureLayout) {
        for funnel in steps.indices {
            steps[funnel] = 0
            values[funnel].wrappedValue = nil
        }
        guard layout.hasExtras else { return }
        for funnel in steps.indices {
            exclusions[funnel] = 0
            actors[funnel].wrappedValue = nil
        }
        for sum in amounts.indices { amounts[sum] = .notMatched }
    }
}

/// What an event adds to the sum of a step.
enum StepAmount: Hashable {
    /// Nothing: the event does not match the step.
    case notMatched
    /// Nothing, though the event matches the step: its value is not a number that the sum takes.
    case without
    /// A value × 10^decimals, and the index of its unit's text.
    case amount(Int64, unit: StringTable.Index)
}

extension Sum {
    /// The greatest magnitude of a value × 10^decimals.
    static let maximumAmount: Double = 0x1p40

    /// 10^``decimals``, which a double holds exactly.
    var scale: Double {
        var scale = 1.0
        for _ in 0..<decimals { scale *= 10 }
        return scale
    }

    /// The integer nearest to `number` × `scale`; `nil` where it is more than 0.001 away from it or too great.
    static func amount(of number: Double, scale: Double) -> Int64? {
        let scaled = number * scale
        // Also false for NaN. The addition below keeps such numbers far from the bounds of Int64.
        guard scaled.magnitude <= maximumAmount + 1 else { return nil }
        // Not `rounded()`, which calls libm on x86: see `Double.integer`.
        let nearest = Int64(scaled < 0 ? scaled - 0.5 : scaled + 0.5)
        let rounded = Double(nearest)
        guard (scaled - rounded).magnitude <= 0.001, rounded.magnitude <= maximumAmount else { return nil }
        return nearest
    }
}
