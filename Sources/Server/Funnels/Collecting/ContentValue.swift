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
    func withValue<R>(_ strings: StringTable, _ body: (FieldValue) throws -> R) rethrows -> R {
        switch code & Kind.mask {
        case Kind.false: return try body(.bool(false))
        case Kind.true: return try body(.bool(true))
        case Kind.absent: return try body(.absent)
        default:
            return try strings.withText(StringTable.Index(Int(code >> Kind.bits))) { try body(value(ofText: $0)) }
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
        case Kind.absent: .absent
        default: value(ofText: strings.text(StringTable.Index(Int(code >> Kind.bits)), in: storage, uuid: uuid))
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
