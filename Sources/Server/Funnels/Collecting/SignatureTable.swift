/// Signatures by index: what events mean to each funnel, as an ``EventMatch`` says.
///
/// Many events of an install have equal signatures, so each event stores the index of its signature.
struct SignatureTable {
    typealias Index = TableIndex<SignatureTable>
    /// The index of a text in the owner's strings, or `nil`, in four bytes.
    typealias Value = CompactIndex<StringTable>

    let layout: SignatureLayout
    // As in the layout.
    let funnelCount: Int
    private let hasExtras: Bool
    private(set) var count = 0
    // These arrays have funnelCount elements for each signature.
    private var masks: [UInt32] = []
    private var values: [Value] = []
    // So have these two where the layout has extras; else they are empty. `amounts` has an element for each sum.
    private var exclusions: [UInt32] = []
    private var actors: [Value] = []
    private var amounts: [StepAmount] = []
    // Empty as long as the table is small, as in StringTable.
    private var indexByKey: [EventMatch: Index] = [:]
    private static let greatestScan = 32
    // The header of an array, its pointer, and what the allocator adds.
    private static let arrayByteCount = 56

    init(_ layout: SignatureLayout) {
        self.layout = layout
        funnelCount = layout.funnelCount
        hasExtras = layout.hasExtras
    }

    /// The memory that the signatures take, in bytes, approximately.
    var byteCount: Int {
        let size = (masks.count + values.count + exclusions.count + actors.count) * 4 + amounts.count * 16
        // Each key of the dictionary has arrays of its own.
        return indexByKey.isEmpty ? size : 2 * size + count * (5 * Self.arrayByteCount + 16)
    }

    /// The steps of a funnel that an event with this signature matches, step k as bit k − 1.
    @inline(__always)
    func mask(_ signature: Index, funnel: Int) -> UInt32 { masks[signature.offset * funnelCount + funnel] }

    /// The breakdown value of an attempt that an event with this signature starts; `nil` where it starts none or the
    /// funnel has no breakdown.
    @inline(__always)
    func value(_ signature: Index, funnel: Int) -> StringTable.Index? {
        values[signature.offset * funnelCount + funnel].wrappedValue
    }

    /// The gaps of a funnel in which an event with this signature ends an attempt, the gap from step k to step k + 1 as
    /// bit k − 1.
    @inline(__always)
    func exclusions(_ signature: Index, funnel: Int) -> UInt32 {
        hasExtras ? exclusions[signature.offset * funnelCount + funnel] : 0
    }

    /// The value of the field by which a funnel counts; `nil` where it counts otherwise, and where the event takes no
    /// part.
    func actor(_ signature: Index, funnel: Int) -> Value {
        hasExtras ? actors[signature.offset * funnelCount + funnel] : Value(wrappedValue: nil)
    }

    /// What an event with this signature adds to a sum.
    func amount(_ signature: Index, sum: Int) -> StepAmount {
        amounts[signature.offset * layout.sumSteps.count + sum]
    }

    /// Whether an event with this signature matches a step or an exclusion of a funnel.
    @inline(__always)
    func takesPart(_ signature: Index, funnel: Int) -> Bool {
        mask(signature, funnel: funnel) | exclusions(signature, funnel: funnel) != 0
    }

    /// Calls `body` with each text of a signature, in an order that depends on its contents only.
    func forEachText(_ signature: Index, _ body: (StringTable.Index) -> Void) {
        for funnel in 0..<funnelCount {
            if let value = value(signature, funnel: funnel) { body(value) }
            guard hasExtras else { continue }
            if let actor = actor(signature, funnel: funnel).wrappedValue { body(actor) }
            for sum in layout.sums[funnel] {
                if let unit = amount(signature, sum: sum).unit { body(unit) }
            }
        }
    }

    /// The index of a signature, which is added if it is not in the table yet.
    mutating func intern(_ match: EventMatch) -> Index {
        if count <= Self.greatestScan {
            for offset in 0..<count where isEqual(offset, match) { return Index(offset) }
            return append(match)
        }
        if indexByKey.isEmpty {
            for offset in 0..<count { indexByKey[self.match(offset)] = Index(offset) }
        }
        let index = Index(count)
        if let known = indexByKey[match] { return known }
        indexByKey[match] = index
        return append(match)
    }

    /// Appends a signature that is not in the table yet.
    @discardableResult
    mutating func append(_ match: EventMatch) -> Index {
        masks += match.steps
        values += match.values
        if hasExtras {
            exclusions += match.exclusions
            actors += match.actors
            amounts += match.amounts
        }
        count += 1
        return Index(count - 1)
    }

    /// Appends the signatures of events that take part in no funnel, to which the caller adds what they mean.
    ///
    /// - Parameter added: how many; the layout has no extras.
    mutating func append(count added: Int) {
        masks.append(contentsOf: repeatElement(0, count: added * funnelCount))
        values.append(contentsOf: repeatElement(Value(wrappedValue: nil), count: added * funnelCount))
        count += added
    }

    /// Sets what a signature means to a funnel, where the layout has no extras.
    @inline(__always)
    mutating func set(_ signature: Index, funnel: Int, mask: UInt32, value: Value) {
        masks[signature.offset * funnelCount + funnel] = mask
        values[signature.offset * funnelCount + funnel] = value
    }

    mutating func removeAll() {
        if count == 0 { return }
        count = 0
        masks.removeAll(keepingCapacity: true)
        values.removeAll(keepingCapacity: true)
        if hasExtras {
            exclusions.removeAll(keepingCapacity: true)
            actors.removeAll(keepingCapacity: true)
            amounts.removeAll(keepingCapacity: true)
        }
        if !indexByKey.isEmpty { indexByKey.removeAll() }
    }

    private func match(_ offset: Int) -> EventMatch {
        var match = layout.emptyMatch
        let range = offset * funnelCount..<(offset + 1) * funnelCount
        match.steps = Array(masks[range])
        match.values = Array(values[range])
        guard hasExtras else { return match }
        match.exclusions = Array(exclusions[range])
        match.actors = Array(actors[range])
        let sumCount = layout.sumSteps.count
        match.amounts = Array(amounts[offset * sumCount..<(offset + 1) * sumCount])
        return match
    }

    private func isEqual(_ offset: Int, _ match: EventMatch) -> Bool {
        let start = offset * funnelCount
        for funnel in 0..<funnelCount
        where masks[start + funnel] != match.steps[funnel] || values[start + funnel] != match.values[funnel] {
            return false
        }
        return !hasExtras || hasEqualExtras(offset, match)
    }

    private func hasEqualExtras(_ offset: Int, _ match: EventMatch) -> Bool {
        let start = offset * funnelCount
        for funnel in 0..<funnelCount
        where exclusions[start + funnel] != match.exclusions[funnel] || actors[start + funnel] != match.actors[funnel] {
            return false
        }
        let first = offset * match.amounts.count
        return match.amounts.indices.allSatisfy { amounts[first + $0] == match.amounts[$0] }
    }
}

extension EventMatch {
    /// Replaces what the event means to one funnel by what a signature means to a funnel.
    ///
    /// - Parameters:
    ///   - signature: a signature of `table`.
    ///   - source: a funnel of `table`; `nil` where the event takes no part.
    ///   - layout: the layout of this match.
    ///   - texts: the texts that the table refers to.
    ///   - strings: receives those that the match refers to.
    mutating func set(
        funnel: Int,
        of layout: SignatureLayout,
        to signature: SignatureTable.Index,
        of table: SignatureTable,
        funnel source: Int?,
        texts: StringTable,
        into strings: inout StringTable
    ) {
        steps[funnel] = source.map { table.mask(signature, funnel: $0) } ?? 0
        values[funnel].wrappedValue = source.flatMap { table.value(signature, funnel: $0) }.map {
            strings.intern($0, of: texts)
        }
        guard layout.hasExtras else { return }
        exclusions[funnel] = source.map { table.exclusions(signature, funnel: $0) } ?? 0
        let actor = source.flatMap { table.actor(signature, funnel: $0).wrappedValue }
        actors[funnel].wrappedValue = actor.map { strings.intern($0, of: texts) }
        let sums = layout.sums[funnel]
        for sum in sums {
            guard let source else {
                amounts[sum] = .notMatched
                continue
            }
            let amount = table.amount(signature, sum: table.layout.sums[source].lowerBound + sum - sums.lowerBound)
            amounts[sum] = amount.mapUnit { strings.intern($0, of: texts) }
        }
    }
}

extension StepAmount {
    /// The same amount with another index of the unit.
    func mapUnit(_ map: (StringTable.Index) -> StringTable.Index) -> StepAmount {
        if case .amount(let amount, let unit) = self { .amount(amount, unit: map(unit)) } else { self }
    }

    /// The index of the unit; `nil` where nothing is added.
    var unit: StringTable.Index? {
        if case .amount(_, let unit) = self { unit } else { nil }
    }
}
