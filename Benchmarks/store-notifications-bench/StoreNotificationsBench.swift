import EventTracking
import FlowEvents
import Foundation
import SimulatedAppStore
import StoreNotifications

/// Measures how many notifications of the App Store one thread verifies and turns into events.
///
/// Each has three signatures, as the App Store's have: its own, the transaction's and the renewal's.
///
///     store-notifications-bench [COUNT]
@main struct StoreNotificationsBench {
    private static let bundle = "com.example.shop"

    static func main() async throws {
        let count = CommandLine.arguments.dropFirst().first.flatMap { Int($0) } ?? 5000
        let authority = try SigningAuthority(.init(around: .now))
        let store = try SimulatedAppStore(authority)
        let bodies = try (0..<count).map { try store.body(of: notification($0)) }
        let webhook = AppStoreWebhook(roots: [authority.root], apps: [AppStoreApp(bundleID: bundle)])
        let start = ContinuousClock.now
        var bytes = 0
        for body in bodies {
            guard case .publish(let event) = try await webhook.decision(about: body, now: .now).action else {
                throw Unexpected()
            }
            bytes += event.encoded().count
        }
        let seconds = (ContinuousClock.now - start) / .seconds(1)
        let rate = Int(Double(count) / seconds)
        let size = bodies.reduce(0) { $0 + $1.count } / max(1, count)
        print(
            #"{"notifications_per_second":\#(rate),"bytes_per_notification":\#(size),"bytes_per_event":\#(bytes / max(1, count))}"#
        )
    }

    private static func notification(_ number: Int) -> StoreNotification {
        let moment = Timestamp.now.milliseconds - 60_000
        var transaction = StoreNotification.Transaction("\(number)", bundleId: bundle, price: 9990, at: moment)
        transaction.appAccountToken = UUID().uuidString
        return StoreNotification(
            "DID_RENEW",
            uuid: UUID().uuidString,
            signedDate: moment,
            bundleId: bundle,
            transaction: transaction
        )
    }

    private struct Unexpected: Error {}
}
