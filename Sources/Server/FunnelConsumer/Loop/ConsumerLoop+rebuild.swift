import FlowEvents
import FunnelStore
import Funnels
import RDKafka
import Logging

extension ConsumerLoop {
    /// Continues with the funnels that a rebuild has given the store, if the funnels file has them too.
    ///
    /// What the consumer counts is always what its funnels file says, so that the next start finds the same. Nothing is
    /// lost in either case: records that were not committed are read again from the store's offsets, as after a fence.
    ///
    /// - Throws: `StoreError.otherData` if the funnels file says something else, and any error of reading the file.
    func adoptFunnels(of rebuilt: StoreRebuilt) throws {
        let funnels = try options.rereadFunnels?() ?? options.funnels
        let changes = FunnelChanges(from: rebuilt.identity.funnels, to: funnels)
        guard changes.isEmpty else {
            throw StoreError.otherData(
                """
                a rebuild has changed the funnels of the store, and this consumer's funnels file says something else \
                (\(changes)): start it again with the funnels file of the rebuild. Nothing was lost: the next start reads \
                on from the store's offsets
                """
            )
        }
        logger.notice(
            "a rebuild has changed the store's funnels; going on with them, as the funnels file says the same",
            metadata: ["funnels": "\(funnels.map(\.name).joined(separator: ", "))"]
        )
        self.funnels = funnels
        intake.replaceFunnels(by: funnels)
        commitThread = try makeCommitThread(funnels, isNew: false)
        try restart(from: rebuilt.progress)
    }
}
