import FunnelReports
import Testing

@testable import Funnels

@Suite struct FunnelSelectionTests {
    @Test func `no name is all funnels, names keep their order and count once`() throws {
        #expect(try FunnelSelection.select([], from: ["a", "b"]) == ["a", "b"])
        #expect(try FunnelSelection.select(["b", "a", "b"], from: ["a", "b", "c"]) == ["b", "a"])
    }

    @Test func `an unknown name is answered with the known ones`() {
        let error = #expect(throws: UnknownFunnels.self) { try FunnelSelection.select(["x"], from: ["a", "b"]) }
        #expect(error?.description == "there is no funnel 'x': the store has a, b")
    }
}
