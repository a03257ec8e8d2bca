#if canImport(FoundationEssentials)
package import FoundationEssentials
#else
package import Foundation
#endif
package import FlowEvents

/// Counts each purchase of an install once, with the paywall that it began on. A tracker has one: ``Tracker/purchases``.
///
/// `FlowStoreKit` tells it what StoreKit says. It remembers the last 500 transactions and the last 32 purchases that have
/// begun and not ended, in a ``PurchaseStorage``. An event is tracked before its transaction is remembered: a crash in
/// between may count a purchase twice, but loses none.
public actor PurchaseJournal {
    /// What the journal needs of its tracker.
    package struct Surroundings: Sendable {
        package var install: @Sendable () async -> CurrentInstall
        /// Returns when the events that were tracked before are stored.
        package var store: @Sendable () async -> Void
        package var now: @Sendable () -> Timestamp
        package var report: @Sendable (any Error) -> Void
    }

    private let storage: PurchaseStorage
    private let surroundings: Surroundings
    private let tokens = Locked(AccountTokens.installs)
    private var memory: PurchaseMemory
    private var isLoaded = false
    private var isOff = false
    private var isSaving = true
    private let turns = SerialTasks()

    init(storage: PurchaseStorage, _ surroundings: Surroundings) {
        self.storage = storage
        self.surroundings = surroundings
        memory = PurchaseMemory(since: surroundings.now())
    }

    /// Returns a journal that knows no install, and forgets everything at the end of the run.
    package static func ofThisRun() -> PurchaseJournal {
        PurchaseJournal(
            storage: .memory,
            Surroundings(install: { .unknown }, store: {}, now: { .now }, report: { _ in })
        )
    }

    /// Who the app's account tokens name; at first the installs.
    public nonisolated var accountTokens: AccountTokens {
        get { tokens.withLock { $0 } }
        set { tokens.withLock { $0 = newValue } }
    }

    /// Reads what is remembered. The first call says since when purchases count.
    package func open() async {
        if case .optedOut = await surroundings.install() { return }
        await load()
    }

    /// Remembers that a purchase begins on a paywall.
    ///
    /// - Returns: the install as an account token; `nil` if the app has its own tokens, or the install id is no UUID.
    package func begin(_ paywall: PaywallReference?) async -> UUID? {
        let install = await surroundings.install()
        if case .optedOut = install { return nil }
        await load()
        if let paywall {
            memory.begin(paywall, at: surroundings.now())
            await save()
        }
        return accountTokens == .accounts ? nil : install.id.flatMap(UUID.init(uuidString:))
    }

    /// Tracks the purchase of a transaction with a valid signature, if it is one that this install has to count.
    ///
    /// - Parameters:
    ///   - transaction: the transaction.
    ///   - origin: where it comes from.
    ///   - product: what is known of its product.
    ///   - track: tracks the event.
    package func take(
        _ transaction: StoreTransaction,
        from origin: PurchaseMemory.Origin,
        product: PurchaseFacts? = nil,
        track: @Sendable (EventDraft) -> Void
    ) async -> PurchaseTracking {
        let install = await surroundings.install()
        if case .optedOut = install { return .ignored(.optedOut) }
        await load()
        // From here on without a pause, so that an update and a result of the same purchase are not both counted.
        let decision = memory.decide(transaction, from: origin, installID: install.id, tokens: accountTokens)
        switch decision {
        case .ignored(let reason):
            // A result also ends what has begun.
            if case .result = origin { await save() }
            return .ignored(reason)
        case .purchase(let paywall):
            let facts = transaction.facts(of: product)
            track(facts.draft(on: paywall))
            await surroundings.store()
            await save()
            return .tracked(facts)
        }
    }

    /// Tracks a purchase without a transaction: one that waits, or that the person gave up.
    ///
    /// - Parameters:
    ///   - facts: the outcome, and what is known of the product.
    ///   - paywall: where it began.
    ///   - track: tracks the event.
    package func take(
        _ facts: PurchaseFacts,
        on paywall: PaywallReference?,
        track: @Sendable (EventDraft) -> Void
    ) async -> PurchaseTracking {
        if case .optedOut = await surroundings.install() { return .ignored(.optedOut) }
        await load()
        if facts.outcome == .pending, let productID = facts.productID {
            memory.wait(for: productID, on: paywall, at: surroundings.now())
        } else {
            memory.cancel(paywall)
        }
        track(facts.draft(on: paywall))
        await save()
        return .tracked(facts)
    }

    /// Remembers that a purchase on a paywall has failed.
    package func fail(on paywall: PaywallReference?) async {
        await load()
        memory.cancel(paywall)
        await save()
    }

    /// Forgets everything, and keeps nothing until ``beginAnew()``.
    func optOut() async {
        begin(isOff: true)
        await turns.run { [storage, surroundings] in
            do { try await storage.save(nil) } catch { surroundings.report(error) }
        }
    }

    /// Forgets everything, and begins anew: what was bought before does not count.
    func beginAnew() async {
        begin(isOff: false)
        await save()
    }

    private func begin(isOff: Bool) {
        self.isOff = isOff
        isLoaded = true
        memory = PurchaseMemory(since: surroundings.now())
    }

    private func load() async {
        guard !isLoaded else { return }
        await turns.run { await self.loadOnce() }
    }

    private func loadOnce() async {
        guard !isLoaded else { return }
        do {
            let bytes = try await storage.load()
            guard !isLoaded else { return }
            isLoaded = true
            if let bytes {
                memory.merge(try JSONDecoder().decode(PurchaseMemory.self, from: Data(bytes)))
            } else {
                await saveNow()
            }
        } catch {
            surroundings.report(error)
        }
    }

    private func save() async {
        // What could not be read is read again before it is replaced.
        guard isLoaded else { return }
        await turns.run { await self.saveNow() }
    }

    private func saveNow() async {
        guard !isOff else { return }
        do {
            try await storage.save([UInt8](JSONEncoder().encode(memory)))
            isSaving = true
        } catch {
            // Reported once for each outage.
            if isSaving { surroundings.report(error) }
            isSaving = false
        }
    }
}

extension PurchaseFacts {
    /// The event of a purchase that began on a paywall.
    fileprivate func draft(on paywall: PaywallReference?) -> EventDraft {
        var draft = draft()
        draft.presentationID = paywall?.presentationID
        draft.paywallSource = paywall?.source
        return draft
    }
}
