// An outcome is one number: the rank in 6 bits, the ending in 3, a bit that says that the steps follow, and bits of whoever
// writes it. In most funnels all steps are required. Then the steps of an attempt are as many as its rank, and do not follow:
// an attempt that met the first step only takes one byte.
extension Outcome {
    /// Appends the outcome.
    ///
    /// - Parameter flags: bits of the writer.
    @inline(__always)
    func encode<Sink: ByteSink>(flags: UInt64 = 0, into bytes: inout Sink) {
        let hasSteps = steps != Self.firstSteps(rank)
        bytes.appendVarint(UInt64(rank) | UInt64(ending.code) << 6 | (hasSteps ? 1 << 9 : 0) | flags << 10)
        if hasSteps { bytes.appendVarint(UInt64(steps)) }
    }

    /// Reads what ``encode(flags:into:)`` has written.
    ///
    /// - Parameter flagCount: the number of the writer's bits.
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
