public import FlowEvents

/// Counts funnels exactly, for any order of arrival and any repetition: `semantics.md` as a value.
///
/// It is a ``FunnelCollector`` and its ``FunnelSettler`` in one, for who needs no second thread:
///
/// ```swift
/// engine.insert(event, partition: 0)
/// engine.begin()
/// engine.settler.load(try store.installs(engine.settler.unloadedInstalls()))
/// let settlement = try engine.settler.settle()
/// ```
public struct FunnelEngine {
    /// The half that finds and remembers what events match.
    public var collector: FunnelCollector
    /// The half that works out what they change.
    public var settler: FunnelSettler

    /// Creates an engine that knows no install yet.
    public init(funnels: [Funnel], bounds: FunnelBounds = FunnelBounds()) {
        collector = FunnelCollector(funnels: funnels)
        settler = FunnelSettler(funnels: funnels, bounds: bounds)
    }

    /// The funnels that are counted.
    public var funnels: [Funnel] { collector.funnels }

    /// The fields that the funnels look at.
    public var fields: [Field] { collector.fields }

    /// Takes in one valid event, as ``FunnelCollector/insert(_:partition:isLate:notice:)`` does.
    public mutating func insert(
        _ event: EventFields,
        partition: Int32,
        isLate: Bool = false,
        notice: DropNotice? = nil
    ) {
        collector.insert(event, partition: partition, isLate: isLate, notice: notice)
    }

    /// Ends an interval: what was inserted is to be settled next.
    public mutating func begin() {
        settler.begin(collector.takeInterval())
    }
}
