// Which steps of a funnel must be met.
extension Funnel {
    /// The number of required steps before a step. The rank of a required step is one more.
    package func rank(before step: Int) -> Int { steps[..<step].count { !$0.isOptional } }

    /// The number of required steps: the rank of an attempt that met them all.
    package var requiredStepCount: Int { rank(before: steps.count) }

    /// The index of the required step before a step; 0 for the first step.
    package func previousRequired(_ step: Int) -> Int { steps[..<step].lastIndex { !$0.isOptional } ?? 0 }

    /// The index of the step with a name; `nil` where there is none. Names are compared by their bytes.
    func index(ofStep name: String) -> Int? {
        steps.firstIndex { $0.name.utf8.elementsEqual(name.utf8) }
    }
}
