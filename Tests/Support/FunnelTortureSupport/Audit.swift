import FlowEvents

/// Holds what apps said about their events against what stands in the topic.
///
/// Two witnesses say what should be there. An app's journal names the events that were on its disk. And an install's
/// sequence has a number for each event that was ever stored, or dropped for want of room, so that every gap has to be
/// told by the counts in its `events_dropped` events.
package struct Audit: Sendable {
    /// A record of the topic.
    package struct Record: Sendable {
        package var event: Event
        package var value: [UInt8]

        package init(event: Event, value: [UInt8]) {
            (self.event, self.value) = (event, value)
        }
    }

    /// How many events the apps know to be tracked.
    package private(set) var tracked = 0
    /// How many events are in the topic, each once.
    package private(set) var arrived = 0
    /// How many records repeat an event.
    package private(set) var repeated = 0
    /// How many events were counted as dropped, by reason.
    package private(set) var dropped: [String: Int] = [:]
    /// How many of those arrived all the same: they were dropped while nobody knew that they had.
    package private(set) var droppedAndArrived = 0
    /// How many events are neither in the topic nor in a count.
    package private(set) var lost = 0
    /// How often a promise was broken that is none about losses.
    package private(set) var breaches: [Breach: Int] = [:]

    /// Something that must not happen.
    package enum Breach: String, Sendable, CaseIterable {
        case differingRepeat = "repeats with other bytes"
        case reusedSequence = "sequence numbers used twice"
        case newInstall = "phones with a second install"
        case twoOffsets = "runs with two clock offsets"
        case wrongTime = "times corrected wrongly"
        case disorder = "runs out of order"
    }

    /// Whether every promise was kept.
    package var isClean: Bool { lost == 0 && breaches.values.allSatisfy { $0 == 0 } }

    /// - Parameters:
    ///   - journals: those of all runs.
    ///   - records: the whole topic.
    package init(journals: [Journal], records: [Record]) {
        for breach in Breach.allCases { breaches[breach] = 0 }
        tracked = journals.reduce(0) { $0 + $1.tracked }
        let events = countOnce(records)
        let installs = Dictionary(grouping: events, by: \.installID)
        let runs = Dictionary(grouping: events) { $0.run ?? "" }
        for install in installs.values { countSequences(install) }
        var missing: [Int: Int] = [:]
        for journal in journals {
            let found = runs[journal.run] ?? []
            missing[journal.phone, default: 0] += Self.missing(journal, in: found)
            checkTimes(found, isSteady: journal.isSteady)
        }
        for (phone, runs) in Dictionary(grouping: journals, by: \.phone) {
            let names = Set(runs.map(\.run))
            let ids = Set(events.filter { $0.run.map(names.contains) ?? false }.map(\.installID))
            breaches[.newInstall, default: 0] += max(0, ids.count - 1)
            let gaps = ids.reduce(0) { $0 + Self.gaps(installs[$1] ?? []) }
            // What an app had on its disk fills a gap; where there are not enough of these, not even a number is left.
            lost += max(0, (missing[phone] ?? 0) - gaps)
        }
    }

    /// The events, each once.
    private mutating func countOnce(_ records: [Record]) -> [Event] {
        var values: [[String]: [UInt8]] = [:]
        var events: [Event] = []
        for record in records {
            let key = [record.event.installID, record.event.id]
            if let value = values[key] {
                repeated += 1
                if value != record.value { breaches[.differingRepeat, default: 0] += 1 }
            } else {
                values[key] = record.value
                events.append(record.event)
            }
        }
        arrived = events.count
        return events
    }

    private mutating func countSequences(_ events: [Event]) {
        let sequences = events.compactMap(\.sequence)
        breaches[.reusedSequence, default: 0] += sequences.count - Set(sequences).count
        var told = 0
        for event in events where event.type == "events_dropped" {
            guard case .string(let reason)? = event.properties["reason"], let count = event.number("count") else {
                continue
            }
            dropped[reason, default: 0] += count
            told += count
        }
        let gaps = Self.gaps(events)
        lost += max(0, gaps - told)
        droppedAndArrived += max(0, told - gaps)
    }

    /// How many numbers of an install's sequence are not there.
    private static func gaps(_ events: [Event]) -> Int {
        let sequences = Set(events.compactMap(\.sequence))
        return sequences.max().map { Int($0) + 1 - sequences.count } ?? 0
    }

    private static func missing(_ journal: Journal, in events: [Event]) -> Int {
        let numbers = Set(events.compactMap { $0.number("n") })
        return journal.stored.reduce(0) { sum, stored in
            sum + max(0, stored.tracked - stored.numbers.count(where: numbers.contains))
        }
    }

    private mutating func checkTimes(_ events: [Event], isSteady: Bool) {
        let corrected = events.compactMap { event in event.deviceTime.map { (event, $0) } }
        let offsets = Set(corrected.map { event, reading in event.time.milliseconds - reading.milliseconds })
        if offsets.count > 1 { breaches[.twoOffsets, default: 0] += 1 }
        guard isSteady else { return }
        breaches[.wrongTime, default: 0] += corrected.count { event, _ in
            // Half of the longest request, and a slow machine.
            event.number("at").map { abs(Int64($0) - event.time.milliseconds) > 10_000 } ?? true
        }
        let readings = events.filter { $0.number("n") != nil }
            .sorted { ($0.number("n") ?? 0) < ($1.number("n") ?? 0) }
            .map { $0.deviceTime ?? $0.time }
        if zip(readings, readings.dropFirst()).contains(where: { $0.milliseconds > $1.milliseconds }) {
            breaches[.disorder, default: 0] += 1
        }
    }
}

extension Event {
    /// The property `run`: which process has tracked it.
    var run: String? {
        guard case .string(let name)? = properties["run"] else { return nil }
        return name
    }

    /// A property that is a whole number.
    func number(_ name: String) -> Int? {
        guard let number = properties[name]?.exactNumber else { return nil }
        return number.integer.map(Int.init)
    }
}
