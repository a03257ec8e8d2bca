import FunnelStore
import Funnels
import RDKafka
import Logging

extension ConsumerLoop {
    /// Goes on with the funnels that the store counts by now, or ends the consumer.
    ///
    /// What it counts is always what its funnels file says, so that the next start finds the same: it reads the file
    /// again, and stops where that is not what the store has. Nothing is lost either way. What was not committed is read
    /// again from where the store stands, as after a fence.
    ///
    /// - Throws: `StoreError.otherData` where the file says something else, and what reading it throws.
    func takeOver(_ redefined: RedefinedStore) throws {
        let funnels = try options.rereadFunnels?() ?? options.funnels
        let changes = FunnelChanges(from: redefined.identity.funnels, to: funnels)
        guard changes.isEmpty else {
            throw StoreError.otherData(
                """
                a rebuild has changed the funnels of the store, and this consumer's funnels file says something else \
                (\(changes)): start it again with the funnels file of the rebuild. Nothing was lost; it reads on from \
                where the store stands
                """
            )
        }
        logger.notice(
            "a rebuild has changed the store's funnels; going on with them, as the funnels file says the same",
            metadata: ["funnels": "\(funnels.map(\.name).joined(separator: ", "))"]
        )
        intake = RecordIntake(funnels: funnels, allowedLateness: options.allowedLateness)
        writer = makeWriter(funnels, isNew: false)
        try startAgain(redefined.progress)
    }
}
