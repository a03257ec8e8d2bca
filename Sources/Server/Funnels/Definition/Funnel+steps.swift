// Which steps of a funnel must be met.
extension Funnel {
    /// The number of required steps before a step, which is its rank less 1 where it is required itself.
    package func rank(before step: Int) -> Int { steps[..<step].count { !$0.isOptional } }

    /// The number of required steps: the rank of an attempt that met them all.
    package var requiredStepCount: Int { rank(before: steps.count) }

    /// The index of the required step before a step; of the first step that itself.
    package func previousRequired(_ step: Int) -> Int { steps[..<step].lastIndex { !$0.isOptional } ?? 0 }

    /// The index of the step with a name, by the bytes of both.
    func index(ofStep name: String) -> Int? {
        steps.firstIndex { $0.name.utf8.elementsEqual(name.utf8) }
    }
}
