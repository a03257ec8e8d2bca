import FlowEventTestSupport
import FunnelTestSupport
import Funnels

extension RandomFunnels {
    /// A random shape in which a few events fill a block, so that all borders are crossed often.
    mutating func shape() -> HistoryShape {
        var shape = HistoryShape()
        shape.recentCount = generator.pick([1, 2, 5])
        shape.slack = generator.pick([0, 1, 60_000])
        shape.eventsPerBlock = generator.pick([1, 2, 4, 8])
        shape.outcomesPerBlock = generator.pick([1, 2, 6])
        shape.fingerprintsPerRow = generator.pick([1, 3, 9, 1024])
        shape.ownerCount = generator.pick([1, 2, 8, 64])
        shape.dayCount = generator.pick([1, 2, 8, 64])
        return shape
    }
}
