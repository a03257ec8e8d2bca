import FlowEvents

/// The first half of counting: finds what events mean to each funnel, and keeps the matching events until the next commit.
///
/// Collecting and counting are separate values, so that a consumer can read on one thread while another thread counts
/// and writes the previous interval. The events of an interval go from the collector to a ``FunnelCounter`` in one
/// piece.
package struct FunnelCollector {
    private let matcher: FunnelMatcher
    private var installs = InstallTable()
    private var pending: PendingEvents
    private var sequences = PendingSequences()
    // The installs to erase, with the partition of the request.
    private var erasures: [InstallTable.Index: Int32] = [:]
    // What the current event means to each funnel.
    private var matches: [FunnelMatch]

    /// Creates a collector.
    package init(funnels: [Funnel]) {
        matcher = FunnelMatcher(funnels: funnels)
        pending = PendingEvents(matcher)
        matches = Array(repeating: FunnelMatch(), count: funnels.count)
    }

    /// The funnels that are counted.
    package var funnels: [Funnel] { matcher.funnels }

    /// The fields that the funnels need: `EventFields.values` must hold their values, in this order.
    package var fields: [Field] { matcher.fields }

    /// The number of installs in the current interval.
    package var installCount: Int { installs.entries.count }

    /// The number of matching events in the current interval.
    package var pendingCount: Int { pending.events.count }

    /// The memory that the current interval takes, in bytes, approximately.
    package var pendingByteCount: Int {
        pending.byteCount + sequences.byteCount + installs.byteCount + erasures.count * 32
    }

    /// Takes in one valid event.
    ///
    /// Of an event that matches no funnel only the sequence number is kept. Without one, nothing is kept. An
    /// `erasure_request`, late or not, takes its install out of all funnels.
    ///
    /// - Parameters:
    ///   - partition: the partition that it was read from, in whose quality counts it appears.
    ///   - isLate: whether it is late. A late event takes part in no funnel; its sequence number counts as received.
    ///   - notice: the dropped events that it reports.
    package mutating func insert(
        _ event: EventFields,
        partition: Int32,
        isLate: Bool = false,
        notice: DropNotice? = nil
    ) {
        if ErasureRequest.isType(event.type) {
            erasures[installs.index(of: event.installID)] = partition
            return
        }
        let type = isLate ? nil : neededType(of: event)
        guard type != nil || event.sequence != nil else { return }
        let install = installs.index(of: event.installID)
        if let sequence = event.sequence {
            let latest = installs[install].latestRun
            // A matching event is kept with its number.
            if !sequences.extend(latest, by: sequence), type == nil || sequence == PendingEvents.noSequence {
                installs[install].latestRun = sequences.append(sequence, partition: partition, latest: latest)
            }
            if let notice { sequences.insert(notice, sequence: sequence, install: install) }
        }
        guard let type else { return }
        let previous = installs[install].latestEvent
        installs[install].latestEvent = pending.append(
            event,
            type: type,
            matches,
            partition: partition,
            previous: previous
        )
    }

    /// The index of the event's type where a funnel needs the event, whose ``matches`` are set then.
    private mutating func neededType(of event: EventFields) -> Int? {
        guard let type = matcher.type(event.type), matcher.match(type, event.values, into: &matches),
            event.sessionID != nil || matcher.isNeededWithoutSession(matches)
        else { return nil }
        return type
    }

    /// Returns the events of the current interval and begins the next interval.
    package mutating func takeInterval() -> EventInterval {
        defer {
            // The next interval is mostly of the same size.
            pending = PendingEvents(matcher, capacity: pending.events.count)
            sequences = PendingSequences(capacity: sequences.runs.count)
            installs = InstallTable(capacity: installs.entries.count)
            erasures = [:]
        }
        return EventInterval(pending: pending, sequences: sequences, installs: installs, erasures: erasures)
    }
}

/// The matching events between two commits and the sequence numbers of all events, on their way from a
/// ``FunnelCollector`` to its ``FunnelCounter``.
package struct EventInterval: Sendable {
    let pending: PendingEvents
    let sequences: PendingSequences
    /// The installs with events in the interval.
    let installs: InstallTable
    /// The installs to erase, with the partition of the request.
    let erasures: [InstallTable.Index: Int32]

    /// Replaces the contents of `runs` by the sequence numbers of an install, in runs in any order, which may overlap.
    ///
    /// - Returns: the partition of one of the events; `nil` where none has a number.
    func collectSequences(of install: InstallTable.Entry, into runs: inout [SequenceRuns.Run]) -> Int32? {
        runs.removeAll(keepingCapacity: true)
        var partition = install.latestRun.map { sequences.collect(latest: $0, into: &runs) }
        var index = install.latestEvent
        while let current = index {
            let event = pending.events[current.offset]
            if event.sequence != PendingEvents.noSequence {
                runs.append(number: event.sequence)
                partition = event.partition
            }
            index = event.previous
        }
        return partition
    }

    /// The number of installs with events in the interval.
    package var installCount: Int { installs.entries.count }

    /// The installs of the interval in the order of the bytes of their ids, in batches. Each install is its offset, as
    /// ``FunnelCounter/batch(of:_:)`` takes it.
    ///
    /// - Parameter count: the greatest number of installs in a batch; more than 0.
    package func batches(of count: Int) -> [[Int]] {
        let order = installs.order()
        return stride(from: 0, to: order.count, by: count).map { Array(order[$0..<min($0 + count, order.count)]) }
    }
}
