/// The best attempt of one actor on one day: the earliest attempt of the greatest depth.
struct DayBest: Sendable {
    /// The actor, the funnel and the breakdown value.
    var owner: Owner
    /// The day of the attempt's first event.
    var day: Day
    /// Where its times and amounts are in the ``ResultDetails`` of its install.
    let details: ResultDetails.Offset
    private let depthByte: UInt8
    private var amountByte: UInt8 = 0
    /// Of an attempt that met all steps, how many events matched step 1 from its first event to its last: 1 to 4, or 5
    /// for more; 0 for a funnel of one step, and for results of older versions, which did not count them. Of any other
    /// attempt, 1 where an exclusion ended it, else 0.
    var ending: UInt8 = 0
    /// Whether the attempt begins near a change of clocks over midnight, where a date comes twice: see
    /// ``FunnelDays/isOutOfOrder(_:)``.
    var isOutOfOrder = false

    static let greatestEnding: UInt8 = 5

    init(owner: Owner, day: Day, depth: Int, details: ResultDetails.Offset) {
        self.owner = owner
        self.day = day
        self.details = details
        depthByte = UInt8(depth)
    }

    /// The number of steps met; 1 or more.
    @inline(__always)
    var depth: Int { Int(depthByte) }

    /// The number of its times: one from each step met to the next.
    @inline(__always)
    var timeCount: Int { Int(depthByte) - 1 }

    /// The number of sums that the attempt adds to: those of the steps that it met.
    @inline(__always)
    var amountCount: Int {
        get { Int(amountByte) }
        set { amountByte = UInt8(newValue) }
    }

    /// An actor of one install in one funnel: all its attempts, or those of one breakdown value.
    struct Owner: Sendable, Hashable, Comparable {
        private var funnelNumber: Int32
        /// The session, or the value of the field to count by, in the install's strings; `nil` where installs are
        /// counted.
        @CompactIndex var actor: StringTable.Index?
        /// The breakdown value, in the install's strings; `nil` for all attempts.
        @CompactIndex var value: StringTable.Index?

        init(funnel: Int, actor: StringTable.Index?, value: StringTable.Index?) {
            self.init(funnel: funnel, CompactIndex(wrappedValue: actor), CompactIndex(wrappedValue: value))
        }

        init(funnel: Int, _ actor: CompactIndex<StringTable>, _ value: CompactIndex<StringTable>) {
            funnelNumber = Int32(funnel)
            _actor = actor
            _value = value
        }

        /// The index of the funnel in the definitions.
        @inline(__always)
        var funnel: Int {
            get { Int(funnelNumber) }
            set { funnelNumber = Int32(newValue) }
        }

        // No index is negative.
        fileprivate var actorOrder: UInt64 { UInt64(funnelNumber) << 32 | UInt64(_actor.code) }

        static func == (lhs: Owner, rhs: Owner) -> Bool {
            lhs._actor == rhs._actor && lhs._value == rhs._value && lhs.funnelNumber == rhs.funnelNumber
        }

        static func < (lhs: Owner, rhs: Owner) -> Bool {
            lhs.actorOrder != rhs.actorOrder ? lhs.actorOrder < rhs.actorOrder : lhs._value < rhs._value
        }
    }
}

extension DayBest {
    /// Whether it comes before another result in the order of owner, then day.
    func precedes(_ other: DayBest) -> Bool {
        if owner.actorOrder != other.owner.actorOrder { return owner.actorOrder < other.owner.actorOrder }
        if owner.$value != other.owner.$value { return owner.$value < other.owner.$value }
        return day < other.day
    }

    /// Whether both are of one owner and day.
    func isOfSameDay(as other: DayBest) -> Bool { day == other.day && owner == other.owner }

    /// Whether both are equal but for their times and amounts.
    func hasSameNumbers(as other: DayBest) -> Bool {
        depthByte == other.depthByte && day == other.day && ending == other.ending && owner == other.owner
            && isOutOfOrder == other.isOutOfOrder && amountByte == other.amountByte
    }
}

extension DayBest {
    /// Whether this attempt begins after that of the next day of the same owner: its date came again.
    func begins(afterNext next: DayBest) -> Bool {
        isOutOfOrder && next.isOutOfOrder && next.day.number == day.number + 1
    }
}
