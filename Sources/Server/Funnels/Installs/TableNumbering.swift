/// New indices for those strings and signatures of a state that a part of it uses, in order of first use.
///
/// A row is encoded with tables of its own, so that equal contents give equal bytes whatever else the state has.
struct TableNumbering {
    private(set) var strings = Numbers()
    private(set) var signatures = Numbers()

    /// New indices in one table.
    struct Numbers {
        /// The elements that are used, by their new index.
        private(set) var used: [Int] = []
        // By element, the new index plus 1; 0 for an element that is not used.
        private var codes: [Int32] = []

        fileprivate mutating func reset(count: Int) {
            used.removeAll(keepingCapacity: true)
            codes.removeAll(keepingCapacity: true)
            codes.append(contentsOf: repeatElement(0, count: count))
        }

        /// - Returns: whether the element is new.
        @discardableResult
        fileprivate mutating func use(_ offset: Int) -> Bool {
            guard codes[offset] == 0 else { return false }
            used.append(offset)
            codes[offset] = Int32(used.count)
            return true
        }

        /// The new index plus 1.
        func code(_ offset: Int) -> Int { Int(codes[offset]) }
    }

    /// Numbers the strings and signatures of some evidence and results.
    mutating func number(
        _ evidence: ArraySlice<Evidence>,
        _ results: [DayBest],
        strings table: StringTable,
        signatures signatureTable: SignatureTable
    ) {
        strings.reset(count: table.count)
        signatures.reset(count: signatureTable.count)
        for event in evidence {
            strings.use(event.source.offset)
            if let session = event.session { strings.use(session.offset) }
            guard signatures.use(event.signature.offset) else { continue }
            signatureTable.forEachText(event.signature) { strings.use($0.offset) }
        }
        // Results without evidence have no order of their own.
        var rest: Set<Int> = []
        // By index, because copying a result counts references.
        for index in results.indices {
            let owner = results[index].owner
            if let text = owner.actor, strings.code(text.offset) == 0 { rest.insert(text.offset) }
            if let text = owner.value, strings.code(text.offset) == 0 { rest.insert(text.offset) }
            for amount in results[index].amounts {
                if let unit = amount.unit, strings.code(unit.offset) == 0 { rest.insert(unit.offset) }
            }
        }
        guard !rest.isEmpty else { return }
        let sorted = rest.map(StringTable.Index.init).sorted { table.precedes($0, $1) }
        for text in sorted { strings.use(text.offset) }
    }

    /// The code of an optional string, as ``CompactIndex/code``.
    func code(_ string: StringTable.Index?) -> Int { string.map { strings.code($0.offset) } ?? 0 }

    func index(_ string: StringTable.Index) -> Int { strings.code(string.offset) - 1 }

    func index(_ signature: SignatureTable.Index) -> Int { signatures.code(signature.offset) - 1 }

    /// The owner with the new indices.
    func renumbered(_ owner: DayBest.Owner) -> DayBest.Owner {
        DayBest.Owner(
            funnel: owner.funnel,
            actor: owner.actor.map { StringTable.Index(index($0)) },
            value: owner.value.map { StringTable.Index(index($0)) }
        )
    }
}
