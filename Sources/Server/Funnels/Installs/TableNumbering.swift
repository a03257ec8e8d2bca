/// New indices for those strings and contents of a state that a part of it uses, in order of first use.
///
/// A row is encoded with tables of its own, so that equal contents give equal bytes whatever else the state has.
struct TableNumbering {
    private(set) var strings = Numbers()
    private(set) var contents = Numbers()
    /// The results that are encoded, with the new indices of their owners, in the order of these.
    private(set) var renumbered: [DayOutcome] = []

    /// New indices in one table.
    struct Numbers {
        /// The elements that are used, by their new index.
        private(set) var used: [Int] = []
        // By element, the new index plus 1; 0 for an element that is not used.
        private var codes: [Int32] = []

        fileprivate mutating func reset(count: Int) {
            used.removeAll(keepingCapacity: true)
            if codes.count < count { codes.append(contentsOf: repeatElement(0, count: count - codes.count)) }
            var codes = codes.mutableSpan
            for offset in 0..<count { codes[offset] = 0 }
        }

        /// - Returns: whether the element is new.
        @discardableResult
        @inline(__always)
        fileprivate mutating func use(_ offset: Int) -> Bool {
            guard codes[offset] == 0 else { return false }
            used.append(offset)
            codes[offset] = Int32(used.count)
            return true
        }

        /// The new index plus 1.
        @inline(__always)
        func code(_ offset: Int) -> Int { Int(codes[offset]) }
    }

    /// Numbers the strings and contents of some evidence and results.
    mutating func number(
        _ evidence: ArraySlice<Evidence>,
        _ results: [DayOutcome],
        _ details: OutcomeDetails,
        strings texts: StringTable,
        contents table: EventContents
    ) {
        strings.reset(count: texts.count)
        contents.reset(count: table.count)
        for event in evidence {
            strings.use(event.source.offset)
            if let session = event.session { strings.use(session.offset) }
            guard contents.use(event.content.offset) else { continue }
            table.forEachText(event.content) { strings.use($0.offset) }
        }
        // Results without evidence have no order of their own.
        var rest: Set<Int> = []
        for best in results {
            let owner = best.owner
            if let text = owner.actor, strings.code(text.offset) == 0 { rest.insert(text.offset) }
            if let text = owner.value, strings.code(text.offset) == 0 { rest.insert(text.offset) }
            details.forEach(of: best) { detail in
                if let text = detail.text, strings.code(text.offset) == 0 { rest.insert(text.offset) }
            }
        }
        guard !rest.isEmpty else { return }
        let sorted = rest.map(StringTable.Index.init).sorted { texts.precedes($0, $1) }
        for text in sorted { strings.use(text.offset) }
    }

    /// The code of an optional string, as ``CompactIndex/code``.
    func code(_ string: StringTable.Index?) -> Int { string.map { strings.code($0.offset) } ?? 0 }

    func index(_ string: StringTable.Index) -> Int { strings.code(string.offset) - 1 }

    func index(_ content: EventContents.Index) -> Int { contents.code(content.offset) - 1 }

    /// Sets ``renumbered``.
    mutating func renumber(_ results: [DayOutcome]) {
        renumbered.removeAll(keepingCapacity: true)
        renumbered.reserveCapacity(results.count)
        for best in results {
            var best = best
            best.owner = DayOutcome.Owner(
                funnel: best.owner.funnel,
                CompactIndex(code: code(best.owner.actor)),
                CompactIndex(code: code(best.owner.value))
            )
            renumbered.append(best)
        }
        renumbered.sortByOwner()
    }
}
