extension Outcome {
    /// The outcome as one number, for a column of SQL. From the lowest bit on, it has the rank in six bits, the ending
    /// in three, and the steps where the attempt met an optional step. Without one, they are the first ones, as many as
    /// the rank.
    @inline(__always)
    package var code: Int64 {
        Int64(rank) | Int64(ending.code) << 6 | (steps == Self.firstSteps(rank) ? 0 : Int64(steps) << 9)
    }

    /// Creates the outcome with a ``code``; `nil` where no outcome has it.
    @inline(__always)
    package init?(code: Int64) {
        let rank = Int(code & 0x3F)
        guard code < 1 << 41, rank >= 1, rank <= Funnel.maximumStepCount else { return nil }
        let steps = code >> 9 == 0 ? Self.firstSteps(rank) : UInt32(code >> 9)
        guard steps & 1 != 0, steps.nonzeroBitCount >= rank else { return nil }
        self.init(steps: steps, rank: rank, ending: Ending(code: UInt8(code >> 6 & 7)))
    }

    /// Appends the outcome: the nine low bits of its ``code``, one bit that says whether the steps follow, and the caller's
    /// flags, as one number, then the steps. So an open attempt that met only the first step takes one byte.
    ///
    /// - Parameter flags: the caller's flags, as bits.
    @inline(__always)
    func encode(flags: UInt64, into bytes: inout ByteSpace) {
        let code = UInt64(code)
        bytes.appendVarint(code & 0x1FF | (code >> 9 == 0 ? 0 : 1 << 9) | flags << 10)
        if code >> 9 != 0 { bytes.appendVarint(code >> 9) }
    }

    /// Reads what ``encode(flags:into:)`` has written.
    ///
    /// - Parameter flagCount: the number of the caller's flags.
    @inline(__always)
    static func decode(
        from reader: inout ByteReader,
        flagCount: Int
    ) throws(DamagedBytes) -> (outcome: Outcome, flags: Int) {
        let code = try reader.index(below: 1 << (10 + flagCount))
        let steps = code >> 9 & 1 == 0 ? 0 : try reader.index(below: 1 << 32)
        guard let outcome = Outcome(code: Int64(steps << 9 | code & 0x1FF)) else { throw DamagedBytes() }
        return (outcome, code >> 10)
    }

    /// The steps that an attempt of a rank met, in a funnel without optional steps.
    static func firstSteps(_ rank: Int) -> UInt32 { .max >> UInt32(Funnel.maximumStepCount - rank) }
}

extension Outcome.Ending {
    /// The ending in three bits.
    fileprivate var code: UInt8 {
        switch self {
        case .open: 0
        case .excluded: 1
        case .complete(let entries): 2 + entries
        }
    }

    /// - Parameter code: a ``code``.
    fileprivate init(code: UInt8) {
        switch code {
        case 0: self = .open
        case 1: self = .excluded
        default: self = .complete(entries: code - 2)
        }
    }
}
