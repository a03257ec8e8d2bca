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
        static let integer: UInt32 = 4
        static let double: UInt32 = 5
        static let unsigned: UInt32 = 6
        /// An integer beyond 64 bits, whose text has its digits.
        static let digits: UInt32 = 7
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

    @inline(__always)
    private init(_ kind: UInt32, _ bits: UInt64, into strings: inout StringTable) {
        self.init(kind, withUnsafeBytes(of: bits.littleEndian) { strings.intern($0) })
    }

    /// - Parameter strings: receives the text.
    @inline(__always)
    init(_ value: FieldValue, into strings: inout StringTable) {
        switch value {
        case .string(let text): self.init(Kind.string, strings.intern(text))
        case .number(.integer(let integer)):
            self.init(Kind.integer, UInt64(bitPattern: integer), into: &strings)
        case .number(.double(let double)): self.init(Kind.double, double.bitPattern, into: &strings)
        case .number(.unsigned(let integer)): self.init(Kind.unsigned, integer, into: &strings)
        case .number(.digits(let digits)): self.init(Kind.digits, strings.intern(digits))
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
        if let text { return text.offset < textCount }
        return code <= Kind.true
    }

    /// Calls `body` with the value.
    func withValue<R>(_ strings: StringTable, _ body: (FieldValue) -> R) -> R {
        strings.withTexts { body(value($0)) }
    }

    /// The value.
    ///
    /// - Parameter texts: the texts of its table, to which the value refers.
    @inline(__always)
    func value(_ texts: TextList.InPlace) -> FieldValue {
        switch code & Kind.mask {
        case Kind.false: .bool(false)
        case Kind.true: .bool(true)
        case Kind.absent: .absent
        default: value(ofText: texts[Int(code >> Kind.bits)])
        }
    }

    /// The value, which must have a text.
    @inline(__always)
    private func value(ofText text: UnsafeRawBufferPointer) -> FieldValue {
        switch code & Kind.mask {
        case Kind.string: return .string(text)
        case Kind.digits: return .number(.digits(text))
        default: break
        }
        // Only a damaged store has another size.
        guard text.count == 8 else { return .absent }
        let bits = UInt64(littleEndian: text.loadUnaligned(as: UInt64.self))
        return switch code & Kind.mask {
        case Kind.integer: .number(.integer(Int64(bitPattern: bits)))
        case Kind.unsigned: .number(.unsigned(bits))
        default: .number(.double(Double(bitPattern: bits)))
        }
    }
}

/// Works out what contents mean to the funnels, and reuses its memory.
struct MatchScratch {
    private let matcher: FunnelMatcher
    private var values: [FieldValue]
    private var result: [FunnelMatch]

    init(_ matcher: FunnelMatcher) {
        self.matcher = matcher
        values = Array(repeating: .absent, count: matcher.fields.count)
        result = Array(repeating: FunnelMatch(), count: matcher.funnels.count)
    }

    /// What contents mean, by funnel.
    ///
    /// - Parameters:
    ///   - words: the values of the fields that are watched of the type.
    ///   - strings: the texts of the values.
    mutating func matches(_ type: Int, _ words: ArraySlice<UInt32>, _ strings: StringTable) -> [FunnelMatch] {
        let fields = matcher.watchedFields(of: type)
        strings.withTexts { texts in
            for (field, word) in zip(fields, words) { values[field] = ContentValue(code: word).value(texts) }
            values.withUnsafeBufferPointer { _ = matcher.match(type, $0, into: &result) }
        }
        for field in fields { values[field] = .absent }
        return result
    }
}
