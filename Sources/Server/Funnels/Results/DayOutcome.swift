/// The outcome that counts of one actor on one day: that of its earliest attempt of the greatest rank.
///
/// It has what a store keeps of an ``Outcome``, in little memory. Its times and details are in the ``OutcomeDetails`` of its
/// install.
struct DayOutcome: Sendable {
    /// The actor, the funnel and the breakdown value.
    var owner: Owner
    /// The day of the attempt's first event.
    var day: Day
    /// What became of the attempt.
    let outcome: Outcome
    private var detailByte: UInt8 = 0
    /// Where its times and details are.
    var details: OutcomeDetails.Offset
    /// Whether the attempt begins near a change of clocks over midnight, where a date comes twice: see
    /// ``FunnelDays/isOutOfOrder(_:)``.
    var isOutOfOrder = false
    /// Whether the attempt begins in an event of the history's blocks.
    var isArchived = false
    /// Whether older outcomes of the owner, at least as high as this one, are in the history only.
    var isCut = false

    init(owner: Owner, day: Day, _ outcome: Outcome, details: OutcomeDetails.Offset) {
        self.owner = owner
        self.day = day
        self.outcome = outcome
        self.details = details
    }

    /// The steps that the attempt met, see ``Outcome/steps``.
    @inline(__always)
    var steps: UInt32 { outcome.steps }

    /// The number of required steps met, see ``Outcome/rank``.
    @inline(__always)
    var rank: Int { outcome.rank }

    /// The number of its times: one for each step met but the first.
    @inline(__always)
    var timeCount: Int { steps.nonzeroBitCount - 1 }

    /// The number of its details.
    @inline(__always)
    var detailCount: Int {
        get { Int(detailByte) }
        set { detailByte = UInt8(newValue) }
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

extension DayOutcome {
    /// Whether it comes before another one in the order of owner, then day, an archived one first.
    func precedes(_ other: DayOutcome) -> Bool {
        if owner.actorOrder != other.owner.actorOrder { return owner.actorOrder < other.owner.actorOrder }
        if owner.$value != other.owner.$value { return owner.$value < other.owner.$value }
        if day != other.day { return day < other.day }
        return isArchived && !other.isArchived
    }

    /// Whether both are of one owner and day.
    func isOfSameDay(as other: DayOutcome) -> Bool { day == other.day && owner == other.owner }

    /// Whether both are equal but for their times and details.
    func hasSameNumbers(as other: DayOutcome) -> Bool {
        outcome == other.outcome && day == other.day && owner == other.owner && detailByte == other.detailByte
            && isOutOfOrder == other.isOutOfOrder
    }
}

extension DayOutcome {
    /// Whether this attempt begins after that of the next day of the same owner: its date came again.
    func begins(afterNext next: DayOutcome) -> Bool {
        isOutOfOrder && next.isOutOfOrder && next.day.number == day.number + 1
    }
}
