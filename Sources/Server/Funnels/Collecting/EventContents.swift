import FlowEvents

/// What events say, as far as funnels ask: each distinct combination of a type and of the values of the fields that funnels
/// watch of it, by index.
///
/// Many events of an install say the same, so each event has an index here. What an event means to the funnels is worked out
/// once for each combination, see ``match(_:funnel:)``.
struct EventContents {
    typealias Index = TableIndex<EventContents>

    let matcher: FunnelMatcher
    // For each element its type, doubled, then a value for each field that is watched of this type. Where only some funnels
    // see such events, 1 is added to the type, and the last words have a bit for each of these funnels.
    private var words: [UInt32] = []
    // For each element the end of its words.
    private var ends: [Int32] = []
    private var hashes: [UInt32] = []
    // Empty as long as the table is small.
    private var slots = HashSlots()
    // For each element what it means to each funnel.
    private var matches: [FunnelMatch] = []
    private let funnelCount: Int
    private let scopeCount: Int
    // Kept between calls to reuse their memory.
    private var key: [UInt32] = []
    private static let greatestScan = 32

    init(_ matcher: FunnelMatcher) {
        self.matcher = matcher
        funnelCount = matcher.funnels.count
        scopeCount = (funnelCount + 31) / 32
    }

    var count: Int { ends.count }

    /// The memory that the elements take, in bytes, approximately.
    var byteCount: Int {
        words.count * 4 + ends.count * 8 + slots.byteCount + matches.count * MemoryLayout<FunnelMatch>.stride
    }

    /// What an event with these contents means to a funnel.
    @inline(__always)
    func match(_ index: Index, funnel: Int) -> FunnelMatch { matches[index.offset * funnelCount + funnel] }

    /// The value of a field, which must be watched of the type; absent where it is not.
    func value(_ index: Index, field: Int) -> ContentValue {
        let start = start(index.offset)
        for (position, watched) in matcher.watchedFields(of: type(index)).enumerated() where watched == field {
            return ContentValue(code: words[start + 1 + position])
        }
        return .absent
    }

    /// Calls `body` with each text among the values, in an order that depends on the contents only.
    func forEachText(_ index: Index, _ body: (StringTable.Index) -> Void) {
        for word in words[values(index)] {
            if let text = ContentValue(code: word).text { body(text) }
        }
    }

    mutating func removeAll() {
        if ends.isEmpty { return }
        words.removeAll(keepingCapacity: true)
        ends.removeAll(keepingCapacity: true)
        hashes.removeAll(keepingCapacity: true)
        matches.removeAll(keepingCapacity: true)
        slots.removeAll()
    }

    /// The index of the contents of an event, which are added if they are not in the table yet.
    ///
    /// - Parameters:
    ///   - type: the index of the event's type.
    ///   - values: the values of the matcher's fields.
    ///   - matches: what the event means, by funnel.
    ///   - strings: receives the texts.
    mutating func intern(
        type: Int,
        _ values: UnsafeBufferPointer<FieldValue>,
        _ matches: [FunnelMatch],
        into strings: inout StringTable
    ) -> Index {
        key.removeAll(keepingCapacity: true)
        key.append(UInt32(type) << 1)
        for field in matcher.watchedFields(of: type) { key.append(ContentValue(values[field], into: &strings).code) }
        let (index, isNew) = internKey()
        if isNew { self.matches += matches }
        return index
    }

    /// The index of an element of another table with the same matcher, which is added if it is not in this table yet.
    mutating func intern(
        _ index: Index,
        of other: EventContents,
        _ texts: StringTable,
        into strings: inout StringTable
    ) -> Index {
        key.removeAll(keepingCapacity: true)
        key.append(other.words[other.start(index.offset)])
        for word in other.words[other.values(index)] {
            key.append(ContentValue(code: word).mapText { strings.intern($0, of: texts) }.code)
        }
        key += other.words[other.values(index).upperBound..<Int(other.ends[index.offset])]
        let (own, isNew) = internKey()
        let first = index.offset * funnelCount
        if isNew { matches += other.matches[first..<(first + funnelCount)] }
        return own
    }

    /// The index of an element of a table of other funnels, which is added if it is not in this table yet; `nil` where no
    /// funnel of this table names the type. A field that the other table does not watch is absent.
    ///
    /// - Parameter renaming: the types and fields of both tables, and the funnels that see the events.
    mutating func intern(
        _ index: Index,
        of other: EventContents,
        _ texts: StringTable,
        _ renaming: ContentRenaming,
        _ scratch: inout MatchScratch,
        into strings: inout StringTable
    ) -> Index? {
        guard let type = renaming.types[other.type(index)] else { return nil }
        key.removeAll(keepingCapacity: true)
        key.append(UInt32(type) << 1)
        for field in matcher.watchedFields(of: type) {
            let value = renaming.fields[field].map { other.value(index, field: $0) } ?? .absent
            key.append(value.mapText { strings.intern($0, of: texts) }.code)
        }
        let scope = renaming.funnels.map { $0.map { other.isSeen(index, by: $0) } ?? false }
        if scope.contains(false) {
            key[0] |= 1
            for start in stride(from: 0, to: funnelCount, by: 32) {
                key.append(
                    scope[start...].prefix(32).enumerated().reduce(0) { $0 | ($1.element ? 1 << UInt32($1.offset) : 0) }
                )
            }
        }
        let (own, isNew) = internKey()
        if isNew { appendMatches(strings, &scratch) }
        return own
    }

    private func type(_ index: Index) -> Int { Int(words[start(index.offset)] >> 1) }

    private func isScoped(_ index: Index) -> Bool { words[start(index.offset)] & 1 != 0 }

    private func isSeen(_ index: Index, by funnel: Int) -> Bool {
        !isScoped(index) || words[values(index).upperBound + funnel / 32] & 1 << UInt32(funnel % 32) != 0
    }

    /// The words that are values.
    private func values(_ index: Index) -> Range<Int> {
        (start(index.offset) + 1)..<(Int(ends[index.offset]) - (isScoped(index) ? scopeCount : 0))
    }

    /// Appends what the contents in `key` mean.
    private mutating func appendMatches(_ strings: StringTable, _ scratch: inout MatchScratch) {
        let index = Index(count - 1)
        matches += scratch.matches(type(index), words[values(index)], strings)
        guard isScoped(index) else { return }
        for funnel in 0..<funnelCount where !isSeen(index, by: funnel) {
            matches[index.offset * funnelCount + funnel] = FunnelMatch()
        }
    }

    private func start(_ offset: Int) -> Int { offset == 0 ? 0 : Int(ends[offset - 1]) }

    /// The index of the contents in `key`. Where they are new, the caller appends what they mean.
    private mutating func internKey() -> (Index, isNew: Bool) {
        var hash = Fingerprint()
        for word in key { hash.combine(UInt64(word)) }
        if let known = known(hash.value) { return (known, false) }
        append(hash.value)
        return (Index(count - 1), true)
    }

    private func known(_ hash: UInt32) -> Index? {
        func isKnown(_ offset: Int) -> Bool { hashes[offset] == hash && isKey(offset) }
        let offset =
            slots.count == 0 ? hashes.indices.first(where: isKnown) : slots.offset(Int(hash), where: isKnown)
        return offset.map { Index($0) }
    }

    private func isKey(_ offset: Int) -> Bool { words[start(offset)..<Int(ends[offset])].elementsEqual(key) }

    private mutating func append(_ hash: UInt32) {
        words += key
        ends.append(Int32(words.count))
        hashes.append(hash)
        guard count > Self.greatestScan else { return }
        while slots.count < count { slots.append { Int(hashes[$0]) } }
    }
}

// The coding of some elements: their number, then of each the type and its values, which refer to an encoded table of texts.
extension EventContents {
    /// A number of bytes that an encoded element does not exceed.
    var greatestEncodedByteCount: Int { 5 * (matcher.fields.count + 1 + scopeCount) }

    /// Appends elements by their offsets.
    ///
    /// - Parameter number: the index of a text in the encoded table.
    func encode(_ offsets: [Int], into bytes: inout ByteSpace, number: (StringTable.Index) -> Int) {
        bytes.appendVarint(UInt64(offsets.count))
        for offset in offsets {
            let values = values(Index(offset))
            bytes.appendVarint(UInt64(words[values.lowerBound - 1]))
            for word in words[values] {
                bytes.appendVarint(UInt64(ContentValue(code: word).mapText { StringTable.Index(number($0)) }.code))
            }
            for word in words[values.upperBound..<Int(ends[offset])] { bytes.appendVarint(UInt64(word)) }
        }
    }

    /// Reads elements and adds them, with what they mean.
    ///
    /// - Parameters:
    ///   - strings: the texts of this table.
    ///   - textCount: the number of texts in the encoded table.
    ///   - text: the index in `strings` of a text of the encoded table.
    ///   - scratch: works out what they mean.
    /// - Returns: the index of each.
    mutating func decode(
        from reader: inout ByteReader,
        _ strings: StringTable,
        _ scratch: inout MatchScratch,
        textCount: Int,
        text: (Int) -> StringTable.Index
    ) throws(DamagedBytes) -> [Index] {
        let count = try reader.count()
        var indices: [Index] = []
        indices.reserveCapacity(count)
        for _ in 0..<count {
            let code = try reader.index(below: matcher.typeCount * 2)
            key.removeAll(keepingCapacity: true)
            key.append(UInt32(code))
            for _ in matcher.watchedFields(of: code >> 1) {
                let value = ContentValue(code: UInt32(try reader.index(below: 1 << 32)))
                guard value.isValid(textCount: textCount) else { throw DamagedBytes() }
                key.append(value.mapText { text($0.offset) }.code)
            }
            if code & 1 != 0 {
                for _ in 0..<scopeCount { key.append(UInt32(try reader.index(below: 1 << 32))) }
            }
            let (index, isNew) = internKey()
            if isNew { appendMatches(strings, &scratch) }
            indices.append(index)
        }
        return indices
    }
}

/// The types and fields of some funnels by those of others.
struct ContentRenaming: Sendable {
    /// For each type of the first funnels, that of the second ones; `nil` where they name none.
    let types: [Int?]
    /// For each field of the second funnels, that of the first ones.
    let fields: [Int?]
    /// For each of the second funnels, the one of the first that it is; `nil` for those that do not see the events.
    let funnels: [Int?]

    init(from first: FunnelMatcher, to second: FunnelMatcher, funnels: [Int?]) {
        self.funnels = funnels
        types = (0..<first.typeCount).map { first.withType($0, second.type) }
        fields = second.fields.map { first.fields.firstIndex(of: $0) }
    }
}
