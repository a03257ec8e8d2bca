import FunnelStore
import GRDB
import Synchronization

extension SQLiteFunnelStore {
    /// Rewrites the file if it may have traces of erased installs: SQLite leaves the bytes of deleted rows, and copies of rows
    /// that it has moved, in its pages. `secure_delete` does not cover these copies.
    ///
    /// If it cannot, the store remembers it, and a later commit tries again.
    ///
    /// - Parameter always: whether to do it also shortly after the last time.
    func removeTraces(always: Bool = false) {
        let start = ContinuousClock.now
        guard let onVacuum, always || vacuums.withLock({ $0.isDue(at: start) }) else { return }
        var failure: StoreError?
        do throws(StoreError) {
            let wasDue = try location.translating {
                try database.writeWithoutTransaction { try SQLiteVacuum.run($0, location) }
            }
            guard wasDue else { return }
        } catch {
            failure = error
        }
        let end = ContinuousClock.now
        vacuums.withLock { $0.ran(for: start.duration(to: end), until: end) }
        onVacuum(SQLiteVacuum(duration: start.duration(to: end), failure: failure))
    }
}
