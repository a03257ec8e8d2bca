public import FlowEvents

/// Whether the figures of a day can still change.
public enum DayState: String, Sendable, Hashable, CaseIterable {
    /// Actors that entered on the day may still be within their window.
    case open
    /// Every actor that entered on the day has had the whole window.
    case settled
    /// No event that may still arrive can change the day.
    case final
}

/// The days of one funnel that are settled and final, and what holds the others back.
public struct DayStates: Sendable, Hashable {
    /// The last settled day; `nil` where no partition has had a valid event.
    public var settledTo: Day?
    /// The last final day; `nil` where a partition has had no valid event.
    public var finalTo: Day?
    /// The partitions that hold back days with entries; `nil` where all days with entries are final.
    public var heldBackBy: HeldBack?

    /// Creates states from their parts.
    public init(settledTo: Day? = nil, finalTo: Day? = nil, heldBackBy: HeldBack? = nil) {
        self.settledTo = settledTo
        self.finalTo = finalTo
        self.heldBackBy = heldBackBy
    }

    /// Returns the state of a day.
    public func state(of day: Day) -> DayState {
        if let finalTo, day <= finalTo { return .final }
        if let settledTo, day <= settledTo { return .settled }
        return .open
    }
}

/// The partitions that keep a day with entries from being settled or final.
public struct HeldBack: Sendable, Hashable {
    /// A partition with the least watermark.
    public struct Partition: Sendable, Hashable {
        /// The number of the partition.
        public var partition: Int32
        /// Its watermark; `nil` where it has had no valid event.
        public var time: Timestamp?
        /// The store whose topic it is a partition of, where a report is of several; else `nil`.
        public var store: String?
    }

    /// The partition that keeps a day from being settled; `nil` where all days with entries are settled.
    public var settled: Partition?
    /// The partition that keeps a day from being final.
    public var final: Partition?
}

extension DayStates {
    /// Works out the states for a funnel.
    ///
    /// - Parameters:
    ///   - topic: what is known of the topic.
    ///   - window: the window of the funnel in milliseconds.
    ///   - table: the funnel's days.
    ///   - lastEntryDay: returns the last day with entries after a day, or of all days; `nil` where there is none.
    init(
        _ topic: TopicProgress,
        window: Int64,
        _ table: TimeZoneTable,
        lastEntryDay: (_ after: Day?) throws -> Day?
    ) rethrows {
        let (settledBy, finalBy) = (topic.leastActive, topic.least)
        settledTo = settledBy?.time.flatMap { table.lastDay(endingBy: $0, before: window) }
        // Without the lateness, an event that may still arrive can be of any day.
        if let time = finalBy?.time, let lateness = topic.greatestLateness {
            finalTo = table.lastDay(endingBy: time, before: window, lateness)
        }
        guard let last = try lastEntryDay(finalTo) else { return }
        let isSettled = settledTo.map { last <= $0 } ?? false
        let held = HeldBack(settled: isSettled ? nil : settledBy, final: finalBy)
        heldBackBy = held.settled == nil && held.final == nil ? nil : held
    }
}

extension DayStates {
    /// Joins the states of several stores: a day is settled, or final, where it is so in all of them.
    init(joining states: [(store: String, states: DayStates)]) {
        func earliest(
            _ day: KeyPath<DayStates, Day?>,
            _ held: KeyPath<HeldBack, HeldBack.Partition?>
        ) -> (day: Day?, heldBy: HeldBack.Partition?) {
            // No day at all is before every day.
            let first = states.min { left, right in
                guard let right = right.states[keyPath: day] else { return false }
                return left.states[keyPath: day].map { $0 < right } ?? true
            }
            var heldBy = first?.states.heldBackBy?[keyPath: held]
            heldBy?.store = first?.store
            return (first?.states[keyPath: day], heldBy)
        }
        let settled = earliest(\.settledTo, \.settled)
        let final = earliest(\.finalTo, \.final)
        settledTo = settled.day
        finalTo = final.day
        let held = HeldBack(settled: settled.heldBy, final: final.heldBy)
        heldBackBy = held.settled == nil && held.final == nil ? nil : held
    }
}

extension TopicProgress {
    private static let idleAfter: Int64 = 24 * 3_600_000

    /// The greatest watermark of all partitions; `nil` where none has had a valid event.
    var greatestWatermark: Timestamp? { partitions.compactMap(\.watermark).max() }

    /// The partition with the least watermark of those that have had a valid event and are not idle.
    fileprivate var leastActive: HeldBack.Partition? {
        guard let greatest = greatestWatermark?.milliseconds else { return nil }
        return partitions.compactMap { partition -> HeldBack.Partition? in
            guard let time = partition.watermark else { return nil }
            let isBehind = time.milliseconds.addingReportingOverflow(Self.idleAfter).partialValue < greatest
            if partition.isAtEnd, isBehind { return nil }
            return HeldBack.Partition(partition: partition.partition, time: time)
        }
        .min(by: HeldBack.Partition.isBehind)
    }

    /// The partition of the topic with the least watermark; one that has had no valid event comes before all others.
    fileprivate var least: HeldBack.Partition? {
        var watermarks: [Int32: Timestamp?] = [:]
        for partition in 0..<max(0, partitionCount ?? 0) { watermarks.updateValue(nil, forKey: partition) }
        for partition in partitions { watermarks.updateValue(partition.watermark, forKey: partition.partition) }
        let least = watermarks.map { HeldBack.Partition(partition: $0.key, time: $0.value) }
            .min(by: HeldBack.Partition.isBehind)
        // Where the number of partitions is not known, another one may be behind.
        return partitionCount == nil && least?.time != nil ? nil : least
    }
}

extension HeldBack.Partition {
    fileprivate static func isBehind(_ lhs: HeldBack.Partition, _ rhs: HeldBack.Partition) -> Bool {
        switch (lhs.time, rhs.time) {
        case (nil, nil): lhs.partition < rhs.partition
        case (nil, _): true
        case (_, nil): false
        case (let left?, let right?): (left, lhs.partition) < (right, rhs.partition)
        }
    }
}

extension TimeZoneTable {
    /// Returns the last day that ends before a moment by all of the spans, in milliseconds; `nil` where that is before
    /// all days of events.
    fileprivate func lastDay(endingBy time: Timestamp, before spans: Int64...) -> Day? {
        var moment = time
        for span in spans {
            let (milliseconds, overflow) = moment.milliseconds.subtractingReportingOverflow(span)
            moment.milliseconds = milliseconds
            guard !overflow, moment >= Timestamp.writable.lowerBound else { return nil }
        }
        var day = day(of: moment)
        while end(of: day) > moment { day = day.advanced(by: -1) }
        return day
    }
}
