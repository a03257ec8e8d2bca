import FlowEvents

extension InstallState {
    private static let blockVersion: UInt8 = 1

    /// Replaces the state by a row with all of its history.
    ///
    /// - Parameter catalog: the catalog in the row; `nil` where the install has no history.
    mutating func decode(_ row: StoredInstall, _ catalog: CatalogView?) throws(DamagedBytes) {
        let rest = try row.state.reading { bytes throws(DamagedBytes) in try decodeSequences(bytes) }
        for entry in try catalog?.entries() ?? [] {
            guard let block = row.history.row(entry.number) else { throw DamagedBytes() }
            try block.state.reading { bytes throws(DamagedBytes) in try decodeBlock(entry, bytes) }
        }
        try row.state.reading { bytes throws(DamagedBytes) in try decodeMatches(bytes, from: rest) }
    }

    private mutating func decodeBlock(_ entry: Catalog.Entry, _ bytes: UnsafeRawBufferPointer) throws(DamagedBytes) {
        var reader = ByteReader(bytes)
        guard try reader.byte() == Self.blockVersion else { throw DamagedBytes() }
        let count = evidence.count
        var results: [DayOutcome] = []
        try appendMatches(from: &reader, results: &results)
        guard reader.isAtEnd, evidence.count - count == entry.count else { throw DamagedBytes() }
        var lastTime = blocks.last?.lastTime ?? .min
        if entry.count > 0, let last = evidence.last {
            guard last.time == entry.lastTime else { throw DamagedBytes() }
            lastTime = last.time
        }
        blocks.append(HistoryBlock(number: entry.number, lastTime: lastTime, results: results))
    }

    private mutating func encodedBlock(_ index: Int, _ range: Range<Int>) -> HistoryRow {
        let (evidence, results) = (evidence[range], blocks[index].results)
        let state = encoding(atMost: 1 + greatestByteCount(evidence, results)) { state, bytes in
            bytes.append(Self.blockVersion)
            state.encodeMatches(evidence, results, into: &bytes)
        }
        return HistoryRow(number: blocks[index].number, state: state)
    }

    /// All rows of the history of a state with all evidence, in order of their numbers.
    mutating func history(_ shape: HistoryShape) -> [HistoryRow] {
        guard !blocks.isEmpty else { return [] }
        var rows: [HistoryRow] = []
        var catalog = Catalog()
        for (index, range) in zip(blocks.indices, evidenceRanges()) {
            rows.append(encodedBlock(index, range))
            let block = addition(index, range)
            catalog.add(block)
            if let row = catalog.add(block.fingerprints, limit: shape.filterCount) {
                rows.append(HistoryRow(number: Int64(-catalog.filterRowCount), state: FingerprintFilter.encode(row)))
            }
        }
        var rest = [DayOutcome].joined(blocks.map(\.results))[...]
        while let owner = rest.first?.owner {
            let own = rest.prefix { $0.owner == owner }
            rest = rest.dropFirst(own.count)
            catalog.actors.append(Catalog.OpenActor(owner: owner, days: .open(own)))
        }
        catalog.trim(shape)
        rows.append(HistoryRow(number: 0, state: catalog.encoded(strings, details)))
        return rows.sorted { $0.number < $1.number }
    }

    /// The rows of the history that new blocks add or change. The state has the recent evidence and these blocks only.
    ///
    /// - Parameter view: the catalog of the other blocks; `nil` where there are none.
    /// - Returns: `nil` where the catalog cannot be updated without the other blocks, which never is where there are none.
    mutating func appendedHistory(_ view: CatalogView?, _ shape: HistoryShape) throws(DamagedBytes) -> [HistoryRow]? {
        guard let view else { return history(shape) }
        var catalog = try Catalog(view, strings: &strings, &details, funnelCount: contents.matcher.funnels.count)
        var rows: [HistoryRow] = []
        for (index, range) in zip(blocks.indices, evidenceRanges()) {
            rows.append(encodedBlock(index, range))
            let block = addition(index, range)
            let isKnown = catalog.open(block.results) { owner in view.mayContain(fingerprint(owner)) }
            guard isKnown else { return nil }
            catalog.add(block)
            if let row = catalog.add(block.fingerprints, limit: shape.filterCount) {
                rows.append(HistoryRow(number: Int64(-catalog.filterRowCount), state: FingerprintFilter.encode(row)))
            }
        }
        catalog.trim(shape)
        rows.append(HistoryRow(number: 0, state: catalog.encoded(strings, details)))
        return rows.sorted { $0.number < $1.number }
    }

    private func addition(_ index: Int, _ range: Range<Int>) -> CatalogAddition {
        let events = evidence[range]
        let block = blocks[index]
        var entry = Catalog.Entry(number: block.number, count: range.count)
        if let first = events.first, let last = events.last {
            (entry.firstTime, entry.lastTime) = (first.time, last.time)
        }
        var days: [DayCount] = []
        days.add(events, of: self)
        var fingerprints = events.map(fingerprint)
        for (index, best) in block.results.enumerated()
        where index == 0 || block.results[index - 1].owner != best.owner {
            fingerprints.append(fingerprint(best.owner))
        }
        return CatalogAddition(entry: entry, days: days, fingerprints: fingerprints, results: block.results)
    }
}

extension [HistoryRow] {
    /// The row with a number. The rows are in order of their numbers.
    func row(_ number: Int64) -> HistoryRow? {
        let index = partitioningIndex { $0.number >= number }
        return index < count && self[index].number == number ? self[index] : nil
    }

    /// The rows to write so that this history becomes `new`. Both are in order of their numbers.
    func changes(to new: [HistoryRow]) -> [HistoryRow] {
        filter { new.row($0.number) == nil }.map { HistoryRow(number: $0.number, state: []) }
            + new.filter { row($0.number) != $0 }
    }

    /// The catalog after some rows were written.
    func catalog(after written: [HistoryRow]) -> [HistoryRow] {
        guard written.contains(where: { $0.number <= 0 }) else { return filter { $0.number <= 0 } }
        var rows = Dictionary(uniqueKeysWithValues: map { ($0.number, $0) })
        for row in written { rows[row.number] = row.state.isEmpty ? nil : row }
        return rows.values.filter { $0.number <= 0 }.sorted { $0.number < $1.number }
    }
}
