import FlowEvents
import Foundation
import SimulatedAppStore
import X509

@testable import StoreNotifications

let bundle = "com.example.shop"
let install = "0193479e-8f8c-7c3a-9d8e-2f0a6b1c4d5e"
/// When the notifications of the tests are signed.
let moment: Int64 = 1_790_000_000_000
let now = Timestamp(milliseconds: moment + 1000)
let day: Int64 = 86_400_000

/// The time some days after the moment of the tests.
func date(_ days: Int64) -> Date { Date(timeIntervalSince1970: Double(moment + days * day) / 1000) }

/// A store whose notifications the tests take.
struct Shop {
    let authority: SigningAuthority
    let store: SimulatedAppStore

    init(_ change: (inout SigningAuthority.Options) -> Void = { _ in }) throws {
        var options = SigningAuthority.Options(around: date(0))
        change(&options)
        authority = try SigningAuthority(options)
        store = try SimulatedAppStore(authority)
    }

    func webhook(_ app: AppStoreApp = AppStoreApp(bundleID: bundle), takesSandbox: Bool = false) -> AppStoreWebhook {
        AppStoreWebhook(roots: [authority.root], apps: [app], takesSandbox: takesSandbox)
    }
}

/// A notification about a transaction of 9.99 euros.
func notification(
    _ type: String = "SUBSCRIBED",
    _ subtype: String? = nil,
    _ change: (inout StoreNotification, inout StoreNotification.Transaction) -> Void = { _, _ in }
) -> StoreNotification {
    var transaction = StoreNotification.Transaction("2000000123", bundleId: bundle, price: 9990, at: moment)
    transaction.appAccountToken = install
    var notification = StoreNotification(
        type,
        subtype,
        uuid: "002e14d5-51f5-4503-b5a8-c3a1af68eb20",
        signedDate: moment,
        bundleId: bundle,
        transaction: nil
    )
    change(&notification, &transaction)
    notification.transaction = transaction
    return notification
}

extension StoreDecision {
    /// The event that is published; `nil` for any other action.
    var published: StoreEvent? {
        if case .publish(let event) = action { event } else { nil }
    }
}

extension StoreEvent {
    var text: String { String(decoding: encoded(), as: UTF8.self) }
}
