import FlowEvents

/// What a funnel takes from the events that it matches, beside which steps they meet. Fields are indices into
/// ``FunnelMatcher/fields``.
struct FunnelValues: Sendable {
    /// The field by whose values the funnel counts; `nil` where it counts installs or sessions.
    let actor: Int?
    /// The fields by whose values the counts are broken down, each of the event that met a step; empty for no breakdown.
    let breakdown: [Part]
    /// Whether the values of the breakdown are lists.
    let hasListValues: Bool
    /// The field that says where somebody went next; `nil` where the funnel does not ask.
    let next: Int?
    /// What is added up, in the order of the steps.
    let sums: [SumField]

    struct Part: Sendable {
        /// The index of the step.
        let step: Int
        let field: Int
    }

    struct SumField: Sendable {
        /// The index of the step.
        let step: Int
        let field: Int
        /// 10 to the power of the sum's decimals.
        let scale: Double
        let unit: Int?
    }

    /// - Parameter index: returns the index of a field.
    init(_ funnel: Funnel, index: (Field) -> Int) {
        if case .by(let field) = funnel.count { actor = index(field) } else { actor = nil }
        breakdown = (funnel.breakdown?.parts ?? []).map { part in
            Part(step: funnel.stepIndex(of: part), field: index(part.field))
        }
        hasListValues = funnel.breakdown?.isList ?? false
        next = funnel.next.map { index($0.field) }
        sums = funnel.steps.enumerated().compactMap { position, step in
            step.sum.map { sum in
                SumField(step: position, field: index(sum.field), scale: sum.scale, unit: sum.unit.map(index))
            }
        }
    }

    /// The fields that are taken from an event which meets a step.
    func fields(ofStep step: Int) -> [Int] {
        let summed = sums.filter { $0.step == step }.flatMap { [$0.field] + ($0.unit.map { [$0] } ?? []) }
        return summed + breakdown.filter { $0.step == step }.map(\.field)
    }
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
