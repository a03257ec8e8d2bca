import FlowEvents

@testable import Funnels

/// A ``FunnelCollector`` and its ``FunnelCounter``, for tests on one thread.
struct FunnelEngine {
    /// The half that finds the steps that events match.
    var collector: FunnelCollector
    /// The half that works out what the events change.
    var counter: FunnelCounter

    /// Creates an engine without events.
    init(
        funnels: [Funnel],
        bounds: FunnelBounds = FunnelBounds(),
        timeZones: TimeZoneTables = TimeZoneTables()
    ) {
        collector = FunnelCollector(funnels: funnels)
        counter = FunnelCounter(funnels: funnels, bounds: bounds, timeZones: timeZones)
    }

    var funnels: [Funnel] { collector.funnels }

    var fields: [Field] { collector.fields }

    mutating func insert(_ event: EventFields, partition: Int32, isLate: Bool = false, notice: DropNotice? = nil) {
        collector.insert(event, partition: partition, isLate: isLate, notice: notice)
    }

    /// Ends the interval and counts its events on this thread.
    ///
    /// - Parameter rows: returns the rows that are missing.
    mutating func count(_ rows: (CountingBatch.MissingRows) throws -> [StoredInstall]) throws -> CountingBatch {
        var batch = counter.batch(of: collector.takeInterval())
        try batch.count(rows)
        return batch
    }
}
