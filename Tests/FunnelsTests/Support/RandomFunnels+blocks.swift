import FlowEventTestSupport
import FunnelTestSupport

extension RandomFunnels {
    /// A size of the blocks of a history that a few events fill, so that all borders are crossed often.
    mutating func eventsPerBlock() -> Int { generator.pick([1, 2, 4, 8]) }
}
