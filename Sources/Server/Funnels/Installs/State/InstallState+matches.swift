// The coding of some events and outcomes: tables of texts and of contents, the events, the outcomes. The row of an install has
// the recent events so, and each block of its history has its own.
extension InstallState {
    /// A number of bytes that some encoded evidence with its results does not exceed.
    func greatestByteCount(_ evidence: ArraySlice<Evidence>, _ results: [DayOutcome]) -> Int {
        // Two numbers of ten bytes, three indices of five, and a UUID or the size of a text.
        let eventSize = 2 * 10 + 3 * 5 + 17
        // An owner with three indices of five bytes, a day, a code, the steps, and the number of details.
        let resultSize = 4 * 5 + 3 + 5 + 1
        var size = 40 + strings.textByteCount + strings.count * 5 + contents.count * contents.greatestEncodedByteCount
        size += evidence.count * eventSize + results.count * resultSize
        for event in evidence where !event.id.isUUID { size += idTexts.withText(of: event.id) { $0.count } }
        // A detail has a code of two bytes, an index and an amount.
        for best in results { size += 10 * best.timeCount + 17 * best.detailCount }
        return size
    }

    /// Appends evidence and results: at most ``greatestByteCount(_:_:)`` bytes.
    mutating func encodeMatches(_ evidence: ArraySlice<Evidence>, _ results: [DayOutcome], into bytes: inout ByteSpace)
    {
        numbering.number(evidence, results, details, strings: strings, contents: contents)
        bytes.appendVarint(UInt64(numbering.strings.used.count))
        for offset in numbering.strings.used { strings.withText(TableIndex(offset)) { bytes.append(text: $0) } }
        // A closure that refers to the numbering through this state would copy all of the state.
        let numbers = numbering
        contents.encode(numbers.contents.used, into: &bytes) { numbers.index($0) }
        encode(evidence, into: &bytes)
        numbering.encode(results, details, into: &bytes)
    }

    /// Appends encoded events and outcomes behind those of the state.
    mutating func appendMatches(from reader: inout ByteReader) throws(DamagedBytes) {
        let (count, isFirst) = (try reader.count(), strings.count == 0)
        var texts: [StringTable.Index] = []
        texts.reserveCapacity(count)
        for _ in 0..<count { texts.append(try reader.text(into: &strings, isNew: isFirst)) }
        let contents = try contents.decode(from: &reader, strings, &scratch, textCount: texts.count) { texts[$0] }
        try decodeEvidence(from: &reader, texts, contents)
        // Taken out, because the array is not used while the details are.
        var own: [DayOutcome] = []
        swap(&own, &results)
        defer { swap(&own, &results) }
        try decodeResults(from: &reader, texts, to: &own)
    }

    private func encode(_ evidence: ArraySlice<Evidence>, into bytes: inout ByteSpace) {
        bytes.appendVarint(UInt64(evidence.count))
        var time: Int64 = 0
        var sequence: Int64 = 0
        for event in evidence {
            bytes.appendSigned(event.time - time)
            bytes.appendSigned(event.sequence &- sequence)
            (time, sequence) = (event.time, event.sequence)
            bytes.appendVarint(UInt64(numbering.index(event.source)))
            bytes.appendIndex(numbering.code(event.session))
            bytes.appendVarint(UInt64(numbering.index(event.content)))
            if event.id.isUUID {
                bytes.appendUUID(event.id)
            } else {
                idTexts.withText(of: event.id) { text in
                    bytes.appendVarint(UInt64(text.count))
                    bytes.append(bytes: text)
                }
            }
        }
    }

    private mutating func decodeEvidence(
        from reader: inout ByteReader,
        _ texts: [StringTable.Index],
        _ contents: [EventContents.Index]
    ) throws(DamagedBytes) {
        // A copy stays in registers.
        var input = reader
        defer { reader = input }
        let count = try input.count()
        if evidence.isEmpty { evidence.reserveCapacity(count) }
        var last = evidence.last?.time ?? .min
        var time: Int64 = 0
        var sequence: Int64 = 0
        for _ in 0..<count {
            time &+= try input.signed()
            sequence &+= try input.signed()
            guard Self.times.contains(time), last <= time else { throw DamagedBytes() }
            last = time
            let source = texts[try input.index(below: texts.count)]
            let session = try input.optionalIndex(below: texts.count).map { texts[$0] }
            let content = contents[try input.index(below: contents.count)]
            let id: EventID
            if let uuid = try input.uuid() { id = uuid } else { id = idTexts.id(of: try input.counted()) }
            evidence.append(
                Evidence(
                    time: time,
                    sequence: sequence,
                    id: id,
                    source: source,
                    session: session,
                    content: content
                )
            )
        }
    }

    private mutating func decodeResults(
        from reader: inout ByteReader,
        _ texts: [StringTable.Index],
        to results: inout [DayOutcome]
    ) throws(DamagedBytes) {
        var input = reader
        defer { reader = input }
        let count = try input.count()
        let funnelCount = contents.matcher.funnels.count
        results.reserveCapacity(results.count + count)
        for _ in 0..<count {
            results.append(try DayOutcome(from: &input, texts, funnelCount: funnelCount, into: &details))
        }
    }
}

extension TableNumbering {
    /// Appends results in order of their owners' new indices, then day.
    fileprivate mutating func encode(_ results: [DayOutcome], _ details: OutcomeDetails, into bytes: inout ByteSpace) {
        bytes.appendVarint(UInt64(results.count))
        renumber(results)
        for best in renumbered { best.encode(details, self, into: &bytes) }
    }
}
