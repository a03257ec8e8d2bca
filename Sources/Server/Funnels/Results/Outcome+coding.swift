// An outcome is coded as one number. From the lowest bit on, it has the rank in six bits, the ending in three, one bit that says
// whether the steps follow, and the caller's flags. The steps follow only where the attempt met an optional step: without one,
// they are the first ones, as many as the rank. So an open attempt that met only the first step takes one byte.
extension Outcome {
    /// Appends the outcome.
    ///
    /// - Parameter flags: the caller's flags, as bits.
    @inline(__always)
    func encode<Sink: ByteSink>(flags: UInt64 = 0, into bytes: inout Sink) {
        let hasSteps = steps != Self.firstSteps(rank)
        bytes.appendVarint(UInt64(rank) | UInt64(ending.code) << 6 | (hasSteps ? 1 << 9 : 0) | flags << 10)
        if hasSteps { bytes.appendVarint(UInt64(steps)) }
    }

    /// Reads what ``encode(flags:into:)`` has written.
    ///
    /// - Parameter flagCount: the number of the caller's flags.
    @inline(__always)
    static func decode(
        from reader: inout ByteReader,
        flagCount: Int = 0
    ) throws(DamagedBytes) -> (outcome: Outcome, flags: Int) {
        let code = try reader.index(below: 1 << (10 + flagCount))
        let rank = code & 0x3F
        guard rank >= 1, rank <= Funnel.maximumStepCount else { throw DamagedBytes() }
        var steps = firstSteps(rank)
        if code >> 9 & 1 != 0 {
            steps = UInt32(try reader.index(below: 1 << 32))
            guard steps & 1 != 0, steps.nonzeroBitCount >= rank else { throw DamagedBytes() }
        }
        return (Outcome(steps: steps, rank: rank, ending: Ending(code: UInt8(code >> 6 & 7))), code >> 10)
    }

    /// The steps that an attempt of a rank met, in a funnel without optional steps.
    static func firstSteps(_ rank: Int) -> UInt32 { .max >> UInt32(Funnel.maximumStepCount - rank) }
}

extension Outcome {
    /// Whether it comes before another one in the order in which a summary keeps outcomes.
    func precedes(_ other: Outcome) -> Bool { order < other.order }

    private var order: UInt64 { UInt64(steps) << 32 | UInt64(rank) << 8 | UInt64(ending.code) }
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
