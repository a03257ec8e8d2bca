import FunnelCommandStores
import FunnelStore
import Funnels
import Testing

@Suite struct StoreFailureTests {
    @Test(arguments: [
        (["a", "b"], "funnel-consumer rebuild a b"), (["-x", "a"], "funnel-consumer rebuild -- -x a"),
    ])
    func `a store with other funnels has a command as its hint that can be typed as it is`(
        names: [String],
        command: String
    ) throws {
        let funnels = try names.map { name in
            let steps = ["first", "second"].map { Step(name: $0, event: $0) }
            return try Funnel(name: name, window: .seconds(60), steps: steps)
        }
        let changes = FunnelChanges(from: [], to: funnels)
        #expect(changes.rebuildCommand == command)
        let error = StoreError(.otherData, "the store holds other counts", changes: changes)
        #expect(
            error.hint
                == "To rebuild, run `\(command)` with the same options; --store or STORE_URL names another store."
        )
    }

    @Test func `a store of another topic has the flag as its hint`() {
        #expect(StoreError.otherData("of another topic").hint == "--store or STORE_URL names another store.")
    }
}
