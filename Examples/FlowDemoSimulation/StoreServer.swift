import EventTrackingTestKit
public import FlowEvents
import FlowDemoApp
import Foundation
public import SimulatedAppStore

/// The store's server: what it says in the days after a purchase.
///
/// A month is paid at once. A year begins with three free days: then it is paid or ends, and some of the money is given
/// back. Some people have bought outside the app, and the store knows no install of theirs.
public struct StoreServer: Sendable {
    /// The app's bundle id.
    public static let bundleID = "com.example.flow-funnels-demo"

    /// A post to the webhook.
    public struct Post: Sendable {
        /// When the store sends it.
        public var time: Timestamp
        /// The signed notification.
        public var body: [UInt8]
        /// Whether the store knows the install.
        public var hasInstall: Bool
    }

    private static let day: Int64 = 86_400_000

    private let store: SimulatedAppStore
    private let seed: UInt64

    /// Creates a server.
    ///
    /// - Parameters:
    ///   - authority: signs the notifications.
    ///   - seed: a different seed gives other decisions to the people.
    /// - Throws: the errors of the libraries. None is expected.
    public init(_ authority: SigningAuthority, seed: UInt64) throws {
        store = try SimulatedAppStore(authority)
        self.seed = seed
    }

    /// Returns what the store has posted up to a time, in the order of time. One of twenty is posted twice, as after an
    /// answer that got lost.
    ///
    /// - Throws: the errors of the libraries. None is expected.
    public func posts(about purchases: [SimulatedPurchase], until end: Timestamp) throws -> [Post] {
        var posts: [Post] = []
        let inOrder = purchases.sorted { ($0.time.milliseconds, $0.installID) < ($1.time.milliseconds, $1.installID) }
        for (number, purchase) in inOrder.enumerated() {
            var random = SeededRandom(seed: seed &+ UInt64(number))
            random = SeededRandom(seed: random.next())
            // Of the seed, too, so that no two demos have the same ids.
            let id = "\(seed)-\(number)"
            let hasInstall = Int.random(in: 0..<50, using: &random) > 0
            for notification in Self.story(of: purchase, id: id, hasInstall: hasInstall, using: &random) {
                let time = Timestamp(milliseconds: notification.signedDate ?? 0)
                guard time < end else { break }
                let post = try Post(time: time, body: store.body(of: notification), hasInstall: hasInstall)
                posts.append(post)
                if Int.random(in: 0..<20, using: &random) == 0 { posts.append(post) }
            }
        }
        return posts.sorted { $0.time < $1.time }
    }

    private static func story(
        of purchase: SimulatedPurchase,
        id: String,
        hasInstall: Bool,
        using random: inout SeededRandom
    ) -> [StoreNotification] {
        func notification(
            _ type: String,
            _ subtype: String?,
            transaction number: Int,
            at time: Int64,
            _ change: (inout StoreNotification.Transaction) -> Void = { _ in }
        ) -> StoreNotification {
            var transaction = StoreNotification.Transaction(
                "\(id)-\(number)",
                original: "\(id)-1",
                bundleId: bundleID,
                price: thousandths(purchase.price),
                at: time
            )
            transaction.productId = purchase.product
            transaction.currency = purchase.currency
            if hasInstall { transaction.appAccountToken = purchase.installID.uppercased() }
            change(&transaction)
            return StoreNotification(
                type,
                subtype,
                uuid: "\(id)-\(number)-\(type)",
                signedDate: time,
                bundleId: bundleID,
                transaction: transaction
            )
        }
        let start = purchase.time.milliseconds
        guard purchase.product == Plan.year.product else {
            return [notification("SUBSCRIBED", "INITIAL_BUY", transaction: 1, at: start)]
        }
        let trial = notification("SUBSCRIBED", "INITIAL_BUY", transaction: 1, at: start) { transaction in
            (transaction.price, transaction.offerType, transaction.offerDiscountType) = (0, 1, "FREE_TRIAL")
        }
        let end = start + 3 * day
        guard Double.random(in: 0..<1, using: &random) < 0.6 else {
            let expired = notification("EXPIRED", "VOLUNTARY", transaction: 1, at: start) { $0.expiresDate = end }
            return [trial, later(expired, end)]
        }
        let paid = notification("DID_RENEW", nil, transaction: 2, at: end)
        guard Double.random(in: 0..<1, using: &random) < 0.15 else { return [trial, paid] }
        let refunded = end + Int64.random(in: 1...day, using: &random)
        let refund = notification("REFUND", nil, transaction: 2, at: end) { $0.revocationDate = refunded }
        return [trial, paid, later(refund, refunded)]
    }

    private static func later(_ notification: StoreNotification, _ time: Int64) -> StoreNotification {
        var notification = notification
        notification.signedDate = time
        return notification
    }

    private static func thousandths(_ price: Decimal) -> Int64 {
        // The demo's prices have two decimals.
        NSDecimalNumber(decimal: price * 1000).int64Value
    }
}
