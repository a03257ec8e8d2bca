public import FlowEvents

/// A row of an install's history: a block of older evidence with its results, or a part of the index of the blocks.
///
/// The history keeps what an ordinary commit need not read or write, so that one more event costs the same however
/// much an install has done before.
public struct HistoryRow: Sendable, Hashable {
    /// The number of the row within its install: 1 and more for a block, 0 and less for a part of the index.
    public var number: Int64
    /// The contents, encoded by the engine.
    public var state: [UInt8]

    /// Creates a row from its parts.
    public init(number: Int64, state: [UInt8]) {
        self.number = number
        self.state = state
    }
}

/// The row of one install in a store.
public struct StoredInstall: Sendable, Hashable {
    /// The `install_id`, UTF-8.
    public var install: [UInt8]
    /// The number of writes of this row: the first write creates version 1.
    public var version: Int64
    /// The install's recent evidence and results, encoded by the engine.
    public var state: [UInt8]
    /// The rows of its history that were read, in order of their numbers.
    public var history: [HistoryRow]

    /// Creates a row from its parts.
    public init(install: [UInt8], version: Int64, state: [UInt8], history: [HistoryRow] = []) {
        self.install = install
        self.version = version
        self.state = state
        self.history = history
    }
}

extension StoredInstall {
    // The first byte of every other state is the version of its coding, 1 or more.
    private static let erasedState: [UInt8] = [0]

    /// What a store returns for an install that was erased. The store has no row of it, only a keyed hash of its id.
    public static func erased(_ install: [UInt8]) -> StoredInstall {
        StoredInstall(install: install, version: 1, state: erasedState)
    }

    /// Whether the install was erased: no event of it counts any more.
    public var isErased: Bool { state == Self.erasedState }
}

/// A write of one install's row. It is valid only while the row has the version that the write is based on.
public struct InstallWrite: Sendable, Hashable {
    /// The `install_id`, UTF-8.
    public var install: [UInt8]
    /// The version that the row must have; 0 where there must be no row. The write increments the version.
    public var expectedVersion: Int64
    /// The state of the expected version; `nil` where it is not known. A store may keep only what the write changes in it.
    public var previousState: [UInt8]?
    /// The new state.
    public var state: [UInt8]
    /// The rows of the history to insert or to replace. A row with an empty state is deleted.
    public var history: [HistoryRow]
    /// Whether the install is erased: the store removes the row and all of its history, and keeps a keyed hash of the
    /// install's id. The state is empty then.
    public var erases = false

    /// Creates a write from its parts.
    public init(
        install: [UInt8],
        expectedVersion: Int64,
        previousState: [UInt8]? = nil,
        state: [UInt8],
        history: [HistoryRow] = []
    ) {
        self.install = install
        self.expectedVersion = expectedVersion
        self.previousState = previousState
        self.state = state
        self.history = history
    }
}

/// The key of a part of the summary: a funnel, a breakdown value or all actors, and an entry day.
public struct SummaryKey: Sendable, Hashable {
    /// The index of the funnel in the definitions.
    public var funnel: Int
    /// The text of the breakdown value, UTF-8; `nil` for all actors.
    public var value: [UInt8]?
    /// The day of the attempts' first events.
    public var day: Day

    /// Creates a key from its parts.
    public init(funnel: Int, value: [UInt8]?, day: Day) {
        self.funnel = funnel
        self.value = value
        self.day = day
    }

    /// Whether it comes before another one in the order in which stores keep the summary.
    func precedes(_ other: SummaryKey) -> Bool {
        if funnel != other.funnel { return funnel < other.funnel }
        guard let value, let otherValue = other.value else {
            return value == nil && other.value == nil ? day < other.day : value == nil
        }
        return day != other.day ? day < other.day : value.lexicographicallyPrecedes(otherValue)
    }
}

/// An addition to the part of the summary with one key.
public struct SummaryDelta: Sendable, Hashable {
    /// The key.
    public var key: SummaryKey
    /// The counts to add, each outcome between the same days once.
    public var counts: [OutcomeCount]
    /// A ``SummarySegment``, encoded; empty where there is nothing to add but counts.
    public var segment: [UInt8]

    /// Creates a delta from its parts.
    public init(key: SummaryKey, counts: [OutcomeCount] = [], segment: [UInt8] = []) {
        self.key = key
        self.counts = counts
        self.segment = segment
    }
}

/// A store's progress in one partition.
public struct PartitionProgress: Sendable, Hashable {
    /// The Kafka partition.
    public var partition: Int32
    /// The offset of the next record to read.
    public var nextOffset: Int64
    /// The time before which every event of the partition is late, whatever the watermark is: the store's horizon when the
    /// partition was first read, see ``TopicProgress/horizon``. `nil` where there was none.
    public var floor: Timestamp?
    /// The watermark after the records below ``nextOffset``: the greatest time of a valid event, where the time of each
    /// is at most its record's timestamp; `nil` where there was no valid event.
    public var watermark: Timestamp?
    /// Whether the partition had no further records when this progress was made.
    public var isAtEnd: Bool
    /// The last record that was read below ``nextOffset``; `nil` where it is not known.
    public var lastRecord: RecordMark?
    /// The quality counts of the partition.
    public var quality: Quality

    /// Creates a partition's progress from its parts.
    public init(
        partition: Int32,
        nextOffset: Int64,
        floor: Timestamp? = nil,
        watermark: Timestamp? = nil,
        isAtEnd: Bool = false,
        lastRecord: RecordMark? = nil,
        quality: Quality = Quality()
    ) {
        self.partition = partition
        self.nextOffset = nextOffset
        self.floor = floor
        self.watermark = watermark
        self.isAtEnd = isAtEnd
        self.lastRecord = lastRecord
        self.quality = quality
    }
}

/// Identifies a record of a partition: a topic that was deleted and created again has another record at its offset.
public struct RecordMark: Sendable, Hashable {
    /// The record's offset.
    public var offset: Int64
    /// The record's timestamp in milliseconds since 1970; -1 where it has none.
    public var timestamp: Int64
    /// A checksum of the record's key and value.
    public var checksum: Int64

    /// Creates a mark from its parts.
    public init(offset: Int64, timestamp: Int64, checksum: Int64) {
        self.offset = offset
        self.timestamp = timestamp
        self.checksum = checksum
    }

    /// Creates a mark from the columns of a store; `nil` where they are empty.
    package init?(offset: Int64?, timestamp: Int64?, checksum: Int64?) {
        guard let offset, let timestamp, let checksum else { return nil }
        self.init(offset: offset, timestamp: timestamp, checksum: checksum)
    }
}
