import FlowEvents

/// A value of a field of an event, in four bytes. Its text is in the string table of its owner.
struct ContentValue: Hashable {
    /// The kind in the lowest three bits. Above them the index of the text, or of the eight bytes of a number.
    let code: UInt32

    private enum Kind {
        static let absent: UInt32 = 0
        static let `false`: UInt32 = 1
        static let `true`: UInt32 = 2
        static let string: UInt32 = 3
        static let number: UInt32 = 4
        static let bits: UInt32 = 3
        static let mask: UInt32 = 7
    }

    /// No value, an array or an object.
    static let absent = ContentValue(code: Kind.absent)

    init(code: UInt32) {
        self.code = code
    }

    private init(_ kind: UInt32, _ text: StringTable.Index) {
        code = UInt32(text.offset) << Kind.bits | kind
    }

    /// - Parameter strings: receives the text.
    @inline(__always)
    init(_ value: FieldValue, into strings: inout StringTable) {
        switch value {
        case .string(let text): self.init(Kind.string, strings.intern(text))
        case .number(let number):
            // −0 is 0.
            let bits = (number == 0 ? 0 : number).bitPattern.littleEndian
            self.init(Kind.number, withUnsafeBytes(of: bits) { strings.intern($0) })
        case .bool(let bool): self.init(code: bool ? Kind.true : Kind.false)
        case .absent, .other: self = .absent
        }
    }

    /// The index of its text, or of the bytes of its number; `nil` where it has none.
    @inline(__always)
    var text: StringTable.Index? {
        code & Kind.mask >= Kind.string ? StringTable.Index(Int(code >> Kind.bits)) : nil
    }

    /// Whether the value is a string.
    var isString: Bool { code & Kind.mask == Kind.string }

    /// The same value with its text in another table.
    @inline(__always)
    func mapText(_ map: (StringTable.Index) -> StringTable.Index) -> ContentValue {
        text.map { ContentValue(code & Kind.mask, map($0)) } ?? self
    }

    func isValid(textCount: Int) -> Bool {
        if let text { return text.offset < textCount && code & Kind.mask <= Kind.number }
        return code <= Kind.true
    }

    /// Calls `body` with the value.
    func withValue<R>(_ strings: StringTable, _ body: (FieldValue) throws -> R) rethrows -> R {
        switch code & Kind.mask {
        case Kind.false: return try body(.bool(false))
        case Kind.true: return try body(.bool(true))
        case Kind.string:
            return try strings.withText(StringTable.Index(Int(code >> Kind.bits))) { try body(.string($0)) }
        case Kind.number: return try body(.number(number(strings)))
        default: return try body(.absent)
        }
    }

    /// The number, which the value must be.
    private func number(_ strings: StringTable) -> Double {
        strings.withText(StringTable.Index(Int(code >> Kind.bits))) { bytes in
            guard bytes.count == 8 else { return .nan }
            return Double(bitPattern: UInt64(littleEndian: bytes.loadUnaligned(as: UInt64.self)))
        }
    }

    /// The value as the matcher reads it.
    ///
    /// - Parameters:
    ///   - strings: the texts.
    ///   - storage: the bytes of `strings`.
    ///   - uuid: receives the text of a UUID: 36 bytes.
    func fieldValue(
        _ strings: StringTable,
        _ storage: UnsafeRawBufferPointer,
        uuid: UnsafeMutableRawBufferPointer
    ) -> FieldValue {
        switch code & Kind.mask {
        case Kind.false: .bool(false)
        case Kind.true: .bool(true)
        case Kind.string: .string(strings.text(StringTable.Index(Int(code >> Kind.bits)), in: storage, uuid: uuid))
        case Kind.number: .number(number(strings))
        default: .absent
        }
    }
}

/// Works out what contents mean to the funnels, and reuses its memory.
struct MatchScratch {
    private let matcher: FunnelMatcher
    private var values: [FieldValue]
    private var uuids: [UInt8]
    private var result: [FunnelMatch]
    private static let uuidCount = 36

    init(_ matcher: FunnelMatcher) {
        self.matcher = matcher
        values = Array(repeating: .absent, count: matcher.fields.count)
        uuids = Array(repeating: 0, count: matcher.fields.count * Self.uuidCount)
        result = Array(repeating: FunnelMatch(), count: matcher.funnels.count)
    }

    /// What contents mean, by funnel.
    ///
    /// - Parameters:
    ///   - words: the values of the fields that are watched of the type.
    ///   - strings: the texts of the values.
    mutating func matches(_ type: Int, _ words: ArraySlice<UInt32>, _ strings: StringTable) -> [FunnelMatch] {
        let fields = matcher.watchedFields(of: type)
        strings.withStorage { storage in
            uuids.withUnsafeMutableBytes { uuids in
                for (position, field) in fields.enumerated() {
                    let start = position * Self.uuidCount
                    let uuid = UnsafeMutableRawBufferPointer(rebasing: uuids[start..<(start + Self.uuidCount)])
                    values[field] = ContentValue(code: words[words.startIndex + position]).fieldValue(
                        strings,
                        storage,
                        uuid: uuid
                    )
                }
                values.withUnsafeBufferPointer { _ = matcher.match(type, $0, into: &result) }
            }
        }
        for field in fields { values[field] = .absent }
        return result
    }
}
