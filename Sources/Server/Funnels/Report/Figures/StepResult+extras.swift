extension StepResult {
    /// Creates the figures of a step without its times.
    ///
    /// - Parameters:
    ///   - index: the index of the step in the funnel.
    ///   - counts: the number of actors that reached each step.
    ///   - extras: how the attempts ended, and their sums.
    init(_ index: Int, of funnel: Funnel, counts: [Int], extras: SummaryExtras = SummaryExtras()) {
        self.init(name: funnel.steps[index].name, index: index, counts: counts)
        if !funnel.exclusions.isEmpty, index < funnel.steps.count - 1 {
            excluded = Int(extras.count(depth: index + 1, ending: 1))
        }
        if let sum = funnel.steps[index].sum {
            let number = funnel.steps[..<index].count { $0.sum != nil }
            sums = StepSums(sum, number: number, extras)
        }
    }
}

extension StepSums {
    /// - Parameter number: the index of the sum among those of the funnel.
    fileprivate init(_ sum: Sum, number: Int, _ extras: SummaryExtras) {
        self.init(decimals: sum.decimals, without: 0, units: [])
        for (key, value) in extras.sums.sorted(by: { $0.key < $1.key }) where key.sum == number && value.count != 0 {
            guard let unit = key.unit else {
                without = Int(value.count)
                continue
            }
            units.append(Unit(unit: String(decoding: unit, as: UTF8.self), sum: value.sum, count: Int(value.count)))
        }
    }
}

extension EntryCounts {
    /// The entries of the attempts that met all steps of a funnel; `nil` for a funnel of one step.
    init?(_ funnel: Funnel, _ extras: SummaryExtras) {
        let depth = funnel.steps.count
        guard depth > 1 else { return nil }
        self.init(counts: Self.captions.indices.map { Int(extras.count(depth: depth, ending: $0 + 1)) })
    }
}
