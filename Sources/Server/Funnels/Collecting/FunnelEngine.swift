import FlowEvents

/// Counts funnels as the article "Writing funnels" says, independent of the order of arrival and of repeated events.
///
/// It combines a ``FunnelCollector`` and its ``FunnelSettler`` for callers that use one thread:
///
/// ```swift
/// engine.insert(event, partition: 0)
/// engine.begin()
/// engine.settler.load(try store.installs(engine.settler.unloadedInstalls(), history: .catalog))
/// let settlement = try engine.settler.settle()
/// ```
package struct FunnelEngine {
    /// The half that finds the steps that events match.
    package var collector: FunnelCollector
    /// The half that computes what the events change.
    package var settler: FunnelSettler

    /// Creates an engine without events.
    package init(
        funnels: [Funnel],
        bounds: FunnelBounds = FunnelBounds(),
        timeZones: TimeZoneTables = TimeZoneTables()
    ) {
        collector = FunnelCollector(funnels: funnels)
        settler = FunnelSettler(funnels: funnels, bounds: bounds, timeZones: timeZones)
    }

    /// The funnels that are counted.
    package var funnels: [Funnel] { collector.funnels }

    /// The fields that the funnels need.
    package var fields: [Field] { collector.fields }

    /// Takes in one valid event, as ``FunnelCollector/insert(_:partition:isLate:notice:)`` does.
    package mutating func insert(
        _ event: EventFields,
        partition: Int32,
        isLate: Bool = false,
        notice: DropNotice? = nil
    ) {
        collector.insert(event, partition: partition, isLate: isLate, notice: notice)
    }

    /// Ends the collecting of an interval, which the settler takes over.
    package mutating func begin() {
        settler.begin(collector.takeInterval())
    }
}
