import FlowEvents

/// Makes an install's row for a store whose funnels change: the funnels that are kept have what the old row has of
/// them, those that are counted anew have what the topic gave.
///
/// It copies and never works anything out, so a funnel that is kept comes out as it went in. Both rows must stand for
/// the same offsets.
///
/// It belongs to one thread; its memory is used for one install after another.
public struct InstallMerger {
    private let revision: FunnelRevision
    private var stored: InstallState
    private var counted: InstallState
    private var merged: InstallState
    // For each place of the new set, the place in the old row, or in the counted one; negative where it has none.
    private let storedPlaces: [Int]
    private let countedPlaces: [Int]
    private var removedResults = SummaryChanges()
    /// The installs that are capped in the store already, and stay so.
    public private(set) var keptCapped: [[UInt8]] = []
    /// How many installs have too many events for the new funnels, and leave all of them by it.
    public private(set) var cappedCount: Int64 = 0

    /// Creates a merger.
    ///
    /// - Parameters:
    ///   - revision: what becomes of the funnels.
    ///   - storedCount: how many funnels the store has had. The counted rows are those of the revision's funnels.
    public init(_ revision: FunnelRevision, storedCount: Int) {
        self.revision = revision
        stored = InstallState(funnelCount: storedCount)
        counted = InstallState(funnelCount: revision.funnels.count)
        merged = InstallState(funnelCount: revision.funnels.count)
        storedPlaces = revision.sources.map { if case .kept(let place) = $0 { place } else { -1 } }
        countedPlaces = revision.sources.enumerated().map { $1 == .counted ? $0 : -1 }
    }

    /// The row that is to stand.
    ///
    /// - Parameters:
    ///   - install: whose it is, for the error.
    ///   - stored: the old row's state; `nil` where the store has none.
    ///   - counted: the state that the topic gave; `nil` where it gave none.
    /// - Returns: the new state; `nil` where there is no old row and nothing to keep.
    /// - Throws: ``DamagedState``.
    public mutating func merge(
        _ install: [UInt8],
        stored storedBytes: [UInt8]?,
        counted countedBytes: [UInt8]?
    ) throws(DamagedState) -> [UInt8]? {
        do {
            try (storedBytes ?? []).withUnsafeBytes { try stored.decode($0) }
            try (countedBytes ?? []).withUnsafeBytes { try counted.decode($0) }
        } catch {
            throw DamagedState(install: String(decoding: install, as: UTF8.self))
        }
        if let storedBytes, stored.isCapped {
            keptCapped.append(install)
            return storedBytes
        }
        merged.removeAll()
        // What never arrived is no matter of the funnels, and the sums of it stand in the store already.
        merged.sequences = stored.sequences
        let kept = merged.evidence(of: stored, places: storedPlaces)
        let found = merged.evidence(of: counted, places: countedPlaces)
        merged.unite(kept, found)
        merged.appendResults(of: stored, places: storedPlaces)
        merged.results.sort { ($0.owner, $0.day) < ($1.owner, $1.day) }
        if counted.isCapped {
            removedResults.replace(merged.results, by: [], strings: merged.strings.strings)
            cappedCount += 1
            merged.cap()
            return merged.encoded()
        }
        merged.appendResults(of: counted, places: countedPlaces)
        merged.results.sort { ($0.owner, $0.day) < ($1.owner, $1.day) }
        merged.past = stored.past.recounted(all: counted.evidence, standing: merged.evidence)
        if storedBytes == nil, merged.evidence.isEmpty, merged.results.isEmpty { return nil }
        return merged.encoded()
    }

    /// What the summary of the funnels that are kept loses by ``cappedCount``, by their new places.
    public func removedSummary() -> [SummaryDelta] { removedResults.deltas() }
}

extension RemovedEvidence {
    /// The counts of what is left out, where rebuilt funnels have brought some of it back.
    ///
    /// - Parameters:
    ///   - all: the events that the topic has.
    ///   - standing: those of the row.
    fileprivate func recounted(all: [Evidence], standing: [Evidence]) -> RemovedEvidence {
        guard horizon != nil else { return self }
        func counts(_ events: [Evidence]) -> [Int32: Int] {
            Dictionary(events.map { (Day(containing: .init(milliseconds: $0.time)).number, 1) }, uniquingKeysWith: +)
        }
        let (all, standing) = (counts(all), counts(standing))
        // A day of which the topic has nothing any more keeps its count.
        var result = self
        result.days = Set(all.keys).union(days.map(\.day)).sorted().compactMap { day in
            let known = days.first { $0.day == day }?.count ?? 0
            let count = all[day].map { $0 - (standing[day] ?? 0) } ?? known
            return count > 0 ? DayCount(day: day, count: count) : nil
        }
        return result
    }
}

extension InstallState {
    /// Those of another state's events that matter to the places taken from it, in this state's numbers.
    fileprivate mutating func evidence(of other: InstallState, places: [Int]) -> [Evidence] {
        // The other's signatures, in this one's numbers; nil where they match none of the places.
        var numbers: [Int32?] = []
        for signature in 0..<other.signatures.count {
            for (place, source) in places.enumerated() {
                masks[place] = source < 0 ? 0 : other.signatures.mask(signature, funnel: source)
                let value = masks[place] == 0 ? 0 : other.signatures.value(signature, funnel: source)
                values[place] = value > 0 ? Int32(intern(other.strings.strings[value - 1]) + 1) : 0
            }
            let matches = masks.contains { $0 != 0 }
            numbers.append(matches ? Int32(signatures.intern(masks: masks, values: values)) : nil)
        }
        return other.evidence.compactMap { event in
            guard let signature = numbers[Int(event.signature)] else { return nil }
            var event = event
            event.signature = signature
            event.source = Int32(intern(other.strings.strings[Int(event.source)]))
            if event.session > 0 {
                event.session = Int32(intern(other.strings.strings[Int(event.session) - 1]) + 1)
            }
            if !event.id.isUUID {
                idTexts.append(other.idTexts[Int(event.id.text)])
                event.id = EventID(text: Int32(idTexts.count - 1))
            }
            return event
        }
    }

    /// Makes the evidence of both, each in order; an event in both matches what it matches in either.
    ///
    /// Two that share a name but not their content stay two, each for the funnels that it came from.
    fileprivate mutating func unite(_ first: [Evidence], _ second: [Evidence]) {
        evidence.reserveCapacity(first.count + second.count)
        var rest = second[...]
        for event in first {
            while let next = rest.first, precedes(next, event) {
                evidence.append(next)
                rest.removeFirst()
            }
            var event = event
            if let next = rest.first, !precedes(event, next), next.session == event.session {
                rest.removeFirst()
                event.signature = unitedSignature(event, next)
            }
            evidence.append(event)
        }
        evidence += rest
    }

    private mutating func unitedSignature(_ first: Evidence, _ second: Evidence) -> Int32 {
        for funnel in 0..<signatures.funnelCount {
            // Each funnel is taken from one side, so one of both is 0.
            masks[funnel] =
                signatures.mask(Int(first.signature), funnel: funnel)
                | signatures.mask(Int(second.signature), funnel: funnel)
            values[funnel] = Int32(
                signatures.value(Int(first.signature), funnel: funnel)
                    + signatures.value(Int(second.signature), funnel: funnel)
            )
        }
        return Int32(signatures.intern(masks: masks, values: values))
    }

    fileprivate mutating func appendResults(of other: InstallState, places: [Int]) {
        var newPlaces: [Int: Int] = [:]
        for (place, source) in places.enumerated() where source >= 0 { newPlaces[source] = place }
        for best in other.results {
            guard let place = newPlaces[best.owner.funnel] else { continue }
            var best = best
            best.owner.funnel = place
            best.owner.session = moved(best.owner.session, from: other)
            best.owner.value = moved(best.owner.value, from: other)
            results.append(best)
        }
    }

    /// A string's number, 0 for none, in this state.
    private mutating func moved(_ number: Int, from other: InstallState) -> Int {
        number == 0 ? 0 : intern(other.strings.strings[number - 1]) + 1
    }

    private mutating func intern(_ string: [UInt8]) -> Int {
        string.withUnsafeBytes { strings.intern($0) }
    }
}
