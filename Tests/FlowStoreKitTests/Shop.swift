import EventTracking
import EventTrackingTestKit
import FlowAnalytics
import FlowEvents
import FlowStoreKit
import Foundation
import HeadlessStoreKit

enum Source: String { case home, profile }

/// An install of an app with a paywall, in an App Store of its own.
struct Shop {
    static let installID = "0193479e-8f8c-7c3a-9d8e-2f0a6b1c4d5e"
    static let token = UUID(uuidString: installID)
    static let now = Date(timeIntervalSince1970: 1_800_000_000)

    let store: HeadlessStore
    let identity: IdentityStore
    let recorder = EventRecorder()
    let tracker: Tracker
    let presentation: Presentation<Source>

    /// Launches the app.
    init(
        store: HeadlessStore = HeadlessStore(),
        identity: IdentityStore = .memory(Identity(installID: installID)),
        presentation id: String = "p-1",
        from source: Source = .home
    ) {
        self.store = store
        self.identity = identity
        let now = Timestamp(milliseconds: Int64(Self.now.timeIntervalSince1970) * 1000)
        let tracker = Tracker(
            source: "app://test",
            identity: identity,
            sink: .recording(recorder),
            now: { now }
        )
        self.tracker = tracker
        presentation = Presentation(id: id, source: source, purchases: tracker.purchases, track: tracker.track)
    }

    var product: Product { store.product("pro.year", price: 39.99) }

    /// The next launch of the same install.
    func relaunched() -> Shop { Shop(store: HeadlessStore(), identity: identity, presentation: "p-2", from: .profile) }

    static func transaction(
        _ id: UInt64 = 7,
        _ change: (inout Transaction) -> Void = { _ in }
    ) -> Transaction {
        var transaction = Transaction(id: id, originalID: 5, productID: "pro.year", purchaseDate: now)
        transaction.appAccountToken = token
        transaction.price = 39.99
        transaction.currency = Locale.Currency("EUR")
        change(&transaction)
        return transaction
    }

    /// Lets the app listen until these updates are handled.
    func handle(_ updates: [VerificationResult<Transaction>], accountTokens: AccountTokens = .installs) async {
        for update in updates { store.update(update) }
        let task = HeadlessStore.$current.withValue(store) {
            tracker.trackTransactionUpdates(accountTokens: accountTokens)
        }
        store.endUpdates()
        await task.value
    }

    /// The events so far as text, with their properties in alphabetical order.
    func lines() async throws -> [String] {
        await tracker.flush()
        return try recorder.events.map { event in
            let properties = event.properties.sorted { $0.key < $1.key }.map { name, value in
                if case .string(let text) = value { return "\(name)=\(text)" }
                if let number = value.exactNumber { return "\(name)=\(number)" }
                return "\(name)=\(value)"
            }
            let paywall = event.presentationID.map { ["[\(event.paywallSource ?? "-") \($0)]"] } ?? []
            return ([event.type] + properties + paywall).joined(separator: " ")
        }
    }
}
