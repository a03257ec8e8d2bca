extension Catalog {
    static let codingVersion: UInt8 = 1

    /// Encodes the catalog's row 0, in the order in which ``CatalogView`` needs the parts.
    ///
    /// - Parameters:
    ///   - strings: the strings that the owners of ``actors`` refer to.
    ///   - details: the times and amounts of their results.
    func encoded(_ strings: StringTable, _ details: OutcomeDetails) -> [UInt8] {
        var bytes: [UInt8] = [Self.codingVersion]
        bytes.reserveCapacity(64 + filter.count * 4 + actors.count * 16 + entries.count * 12)
        bytes.appendVarint(UInt64(days.reduce(0) { $0 + $1.count }))
        bytes.appendVarint(UInt64(days.reduce(0) { $0 + $1.bytes }))
        bytes.appendSigned(entries.last { $0.count > 0 }?.lastTime ?? 0)
        bytes.appendVarint(UInt64((entries.lazy.map(\.number).max() ?? 0) + 1))
        bytes.appendVarint(UInt64(filterRowCount))
        bytes.appendCounted(FingerprintFilter.encode(filter))
        bytes.appendCounted(encodedActors(strings, details))
        days.encode(into: &bytes)
        bytes.appendVarint(UInt64(entries.count))
        var time: Int64 = 0
        for entry in entries {
            bytes.appendVarint(UInt64(entry.number))
            bytes.appendVarint(UInt64(entry.count))
            guard entry.count > 0 else { continue }
            bytes.appendSigned(entry.firstTime - time)
            bytes.appendSigned(entry.lastTime - entry.firstTime)
            time = entry.lastTime
        }
        return bytes
    }

    private func encodedActors(_ strings: StringTable, _ details: OutcomeDetails) -> [UInt8] {
        let encoded = actors.map { actor in
            var bytes = actor.owner.encoded(strings)
            bytes.append(actor.isCut ? 1 : 0)
            for best in actor.days { best.encode(details, into: &bytes) { strings.encode($0, into: &$1) } }
            return bytes
        }
        // In an order that does not depend on the indices of the strings.
        return encoded.sorted { $0.lexicographicallyPrecedes($1) }.reduce(into: []) { $0.appendCounted($1) }
    }

    /// Reads the whole catalog.
    ///
    /// - Parameters:
    ///   - strings: receives the texts of the actors.
    ///   - details: receives the times and amounts of their results.
    init(
        _ view: CatalogView,
        strings: inout StringTable,
        _ details: inout OutcomeDetails,
        funnelCount: Int
    ) throws(DamagedBytes) {
        filterRowCount = view.filterRowCount
        filter = try view.fingerprints()
        try view.forEachActor { reader throws(DamagedBytes) in
            let owner = DayOutcome.Owner(
                funnel: try reader.index(below: funnelCount),
                actor: try reader.optionalText().map { strings.intern($0) },
                value: try reader.optionalText().map { strings.intern($0) }
            )
            actors.append(try OpenActor(owner, from: &reader, &strings, &details))
        }
        days = try view.days()
        entries = try view.entries()
    }
}

extension DayOutcome.Owner {
    /// The encoding of an owner in a catalog. Equal owners have equal bytes, and no encoding begins with another one.
    func encoded(_ strings: StringTable) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(48)
        bytes.appendVarint(UInt64(funnel))
        bytes.appendOptionalText(actor, of: strings)
        bytes.appendOptionalText(value, of: strings)
        return bytes
    }
}

extension Catalog.OpenActor {
    /// Reads the rest of an actor, after the owner.
    ///
    /// - Parameters:
    ///   - strings: receives the texts of the units.
    ///   - details: receives the times and amounts.
    init(
        _ owner: DayOutcome.Owner,
        from reader: inout ByteReader,
        _ strings: inout StringTable,
        _ details: inout OutcomeDetails
    ) throws(DamagedBytes) {
        self.init(owner: owner, days: [], isCut: try reader.byte() != 0)
        // Most actors have few open days.
        days.reserveCapacity(4)
        while !reader.isAtEnd {
            let best = try DayOutcome(of: owner, from: &reader, &details) { reader throws(DamagedBytes) in
                strings.intern(try reader.text())
            }
            if let last = days.last, last.day >= best.day || last.rank < best.rank { throw DamagedBytes() }
            days.append(best)
        }
        guard !days.isEmpty else { throw DamagedBytes() }
    }
}
