import Funnels

/// The location of a store, which turns everything that goes wrong there into a ``StoreError`` that names the store.
package protocol StoreLocation: Sendable {
    /// The store's name in messages, without secrets.
    var name: String { get }

    /// Returns the error for a store that cannot be read.
    ///
    /// - Parameter detail: what is wrong, such as the database's own message.
    func damaged(_ detail: String) -> StoreError

    /// Translates an error of the database driver.
    ///
    /// - Returns: `nil` if the error does not come from the driver.
    func storeError(for error: any Error) -> StoreError?
}

extension StoreLocation {
    /// Runs `body` and turns every error into a ``StoreError``.
    package func translating<R>(_ body: () throws -> R) throws(StoreError) -> R {
        do {
            return try body()
        } catch {
            throw translated(error) ?? .unavailable("the store \(name): \(error)")
        }
    }

    /// Runs `body`, which may throw errors of its caller's, and turns only the store's errors into ``StoreError``s.
    package func translatingOwnErrors<R>(_ body: () throws -> R) throws -> R {
        do {
            return try body()
        } catch {
            throw translated(error) ?? error
        }
    }

    private func translated(_ error: any Error) -> StoreError? {
        switch error {
        case let error as StoreError: error
        case is DamagedSummary: damaged("the summary cannot be read, or its counts and times do not match")
        case let error as DamagedState: damaged("the row of the install '\(error.install)' cannot be read")
        case let error as DamagedTimeZoneTable: damaged(error.description)
        default: storeError(for: error)
        }
    }
}

extension StoreLocation {
    /// The error for a location without a store.
    package var noStore: StoreError {
        .missing("there is no store at \(name): a consumer that counts there creates it")
    }

    /// The error for a store that no consumer has opened yet.
    package var emptyStore: StoreError {
        .missing("the store \(name) is still empty: no consumer has begun to count in it")
    }

    /// The error for a store that was closed.
    package var closedStore: StoreError {
        .unavailable("the store \(name) was closed")
    }

    /// The error for a store on a full disk.
    package var fullDisk: StoreError {
        .unavailable("the store \(name) cannot grow, because its disk is full: make room and start again")
    }

    /// Checks that this program reads a store's version.
    ///
    /// - Parameters:
    ///   - version: the store's version.
    ///   - known: the version that this program reads.
    ///   - removal: how an older store makes room for a new one, such as "move the file away".
    /// - Throws: ``StoreError`` with ``StoreError/Code/newer`` or ``StoreError/Code/older``.
    package func checkIsKnown(_ version: Int64, known: Int64, removal: String) throws(StoreError) {
        guard version >= known else { throw olderStore(removal) }
        guard version > known else { return }
        throw .newer(
            "the store \(name) was written by a newer version of this program (store version \(version), this one "
                + "knows \(known)): use that version, or use another store"
        )
    }

    /// The error for a store that an older version of this program wrote.
    ///
    /// - Parameter removal: how the store makes room for a new one, such as "move the file away".
    package func olderStore(_ removal: String) -> StoreError {
        .older(
            "the store \(name) was written by an older version of this program, whose stores this one cannot read: "
                + "\(removal), or use another store, and start a consumer to count again from what the topic still has"
        )
    }
}
