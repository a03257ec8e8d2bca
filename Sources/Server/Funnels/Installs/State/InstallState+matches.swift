// The coding of some evidence and of the results of the attempts that begin in it: tables of strings and of signatures,
// the events, the results. The row of an install has the recent evidence so, and each block of its history has its own.
extension InstallState {
    mutating func encodeMatches(_ evidence: ArraySlice<Evidence>, _ results: [DayBest], into bytes: inout [UInt8]) {
        numbering.number(evidence, results, details, strings: strings, signatures: signatures)
        bytes.appendVarint(UInt64(numbering.strings.used.count))
        let used = numbering.strings.used.lazy.map(StringTable.Index.init)
        // With each text, its length of at most ten bytes.
        bytes.append(atMost: used.reduce(0) { $0 + strings.length($1) + 10 }) { bytes in
            for text in used { strings.encode(text, into: &bytes) }
        }
        encodeSignatures(into: &bytes)
        encode(evidence, into: &bytes)
        numbering.encode(results, details, into: &bytes)
    }

    /// Appends encoded evidence behind that of the state.
    ///
    /// - Returns: the encoded results, in order of owner, then day.
    mutating func appendMatches(from reader: inout ByteReader) throws(DamagedBytes) -> [DayBest] {
        // A table of its own has each string once, so that nothing has to be compared.
        let isFirst = strings.count == 0 && signatures.count == 0
        var texts: [StringTable.Index] = []
        let count = try reader.count()
        texts.reserveCapacity(count)
        for _ in 0..<count {
            texts.append(try reader.text(into: &strings, isNew: isFirst))
        }
        let signatures = try decodeSignatures(from: &reader, texts, isFirst: isFirst)
        try decodeEvidence(from: &reader, texts, signatures)
        return try decodeResults(from: &reader, texts)
    }

    private func encodeSignatures(into bytes: inout [UInt8]) {
        bytes.appendVarint(UInt64(numbering.signatures.used.count))
        let funnels = 0..<signatures.funnelCount
        for signature in numbering.signatures.used.lazy.map(SignatureTable.Index.init) {
            let matched = funnels.count { signatures.takesPart(signature, funnel: $0) }
            bytes.appendVarint(UInt64(matched))
            for funnel in funnels where signatures.takesPart(signature, funnel: funnel) {
                bytes.appendVarint(UInt64(funnel))
                bytes.appendVarint(UInt64(signatures.mask(signature, funnel: funnel)))
                bytes.appendIndex(numbering.code(signatures.value(signature, funnel: funnel)))
                if signatures.layout.hasExtras { encodeExtras(signature, funnel: funnel, into: &bytes) }
            }
        }
    }

    private mutating func decodeSignatures(
        from reader: inout ByteReader,
        _ texts: [StringTable.Index],
        isFirst: Bool
    ) throws(DamagedBytes) -> [SignatureTable.Index] {
        let funnelCount = signatures.funnelCount
        var indices: [SignatureTable.Index] = []
        let count = try reader.count()
        indices.reserveCapacity(count)
        for _ in 0..<count {
            match.removeAll(signatures.layout)
            for _ in 0..<(try reader.count()) {
                let funnel = try reader.index(below: funnelCount)
                match.steps[funnel] = UInt32(try reader.index(below: 1 << 32))
                match.values[funnel].wrappedValue = try reader.optionalIndex(below: texts.count).map { texts[$0] }
                if signatures.layout.hasExtras { try decodeExtras(funnel: funnel, texts, from: &reader) }
            }
            indices.append(isFirst ? signatures.append(match) : signatures.intern(match))
        }
        return indices
    }

    // The greatest size of an encoded event: two numbers of ten bytes, three indices of five, and a UUID or the size of
    // a text.
    private static let greatestEventSize = 2 * 10 + 3 * 5 + 17

    private func encode(_ evidence: ArraySlice<Evidence>, into bytes: inout [UInt8]) {
        bytes.appendVarint(UInt64(evidence.count))
        let textSize = evidence.reduce(0) { $0 + ($1.id.text.map { idTexts[$0].count } ?? 0) }
        bytes.append(atMost: evidence.count * Self.greatestEventSize + textSize) { bytes in
            var time: Int64 = 0
            var sequence: Int64 = 0
            for event in evidence {
                bytes.appendSigned(event.time - time)
                bytes.appendSigned(event.sequence &- sequence)
                (time, sequence) = (event.time, event.sequence)
                bytes.appendVarint(UInt64(numbering.index(event.source)))
                bytes.appendIndex(numbering.code(event.session))
                bytes.appendVarint(UInt64(numbering.index(event.signature)))
                if let text = event.id.text {
                    bytes.appendVarint(UInt64(idTexts[text].count))
                    idTexts[text].withUnsafeBytes { bytes.append(bytes: $0) }
                } else {
                    bytes.appendUUID(event.id)
                }
            }
        }
    }

    private mutating func decodeEvidence(
        from reader: inout ByteReader,
        _ texts: [StringTable.Index],
        _ signatures: [SignatureTable.Index]
    ) throws(DamagedBytes) {
        let count = try reader.count()
        if evidence.isEmpty { evidence.reserveCapacity(count) }
        var time: Int64 = 0
        var sequence: Int64 = 0
        for _ in 0..<count {
            time &+= try reader.signed()
            sequence &+= try reader.signed()
            guard Self.times.contains(time), evidence.last.map({ $0.time <= time }) ?? true else {
                throw DamagedBytes()
            }
            let source = texts[try reader.index(below: texts.count)]
            let session = try reader.optionalIndex(below: texts.count).map { texts[$0] }
            let signature = signatures[try reader.index(below: signatures.count)]
            let id: EventID
            if let uuid = try reader.uuid() { id = uuid } else { id = idTexts.append(Array(try reader.counted())) }
            evidence.append(
                Evidence(
                    time: time,
                    sequence: sequence,
                    id: id,
                    source: source,
                    session: session,
                    signature: signature
                )
            )
        }
    }

    private mutating func decodeResults(
        from reader: inout ByteReader,
        _ texts: [StringTable.Index]
    ) throws(DamagedBytes) -> [DayBest] {
        let count = try reader.count()
        var results: [DayBest] = []
        results.reserveCapacity(count)
        for _ in 0..<count {
            let owner = DayBest.Owner(
                funnel: try reader.index(below: signatures.funnelCount),
                actor: try reader.optionalIndex(below: texts.count).map { texts[$0] },
                value: try reader.optionalIndex(below: texts.count).map { texts[$0] }
            )
            let best = try DayBest(of: owner, from: &reader, &details) { reader throws(DamagedBytes) in
                texts[try reader.index(below: texts.count)]
            }
            results.append(best)
        }
        results.sortByOwner()
        for index in results.indices.dropFirst() where !results[index - 1].precedes(results[index]) {
            throw DamagedBytes()
        }
        return results
    }
}

extension TableNumbering {
    /// Appends results in order of their owners' new indices, then day.
    fileprivate mutating func encode(_ results: [DayBest], _ details: ResultDetails, into bytes: inout [UInt8]) {
        bytes.appendVarint(UInt64(results.count))
        renumber(results)
        // An owner with three indices of five bytes, a day, a code, and numbers of ten bytes; an amount has at most two.
        let size = results.reduce(0) { $0 + 4 * 5 + 2 + 10 * (1 + $1.timeCount + 2 * $1.amountCount) }
        bytes.append(atMost: size) { bytes in
            for best in renumbered { encode(best, details, into: &bytes) }
        }
    }

    @inline(__always)
    private func encode(_ best: DayBest, _ details: ResultDetails, into bytes: inout ByteSpace) {
        bytes.appendVarint(UInt64(best.owner.funnel))
        bytes.appendIndex(Int(best.owner.$actor.code))
        bytes.appendIndex(Int(best.owner.$value.code))
        best.encode(details, into: &bytes) { $1.appendVarint(UInt64(index($0))) }
    }
}

extension [DayBest] {
    /// Sorts results by owner, then day. Mostly they are in order already.
    mutating func sortByOwner() {
        for index in indices.dropFirst() where self[index].precedes(self[index - 1]) {
            return sort { $0.precedes($1) }
        }
    }
}
