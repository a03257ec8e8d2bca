public import Foundation

extension Product {
    /// How a purchase ended.
    public enum PurchaseResult: Sendable {
        /// It is made. The signature may still be invalid.
        case success(VerificationResult<Transaction>)
        /// The person has given it up.
        case userCancelled
        /// It waits for someone. The transaction comes with `Transaction.updates`.
        case pending
    }

    /// A wish for a purchase. Apple's cannot be looked into.
    public struct PurchaseOption: Sendable, Hashable {
        private enum Wish: Sendable, Hashable {
            case appAccountToken(UUID)
            case quantity(Int)
        }

        private let wish: Wish

        /// Names the account that buys. The transaction has the same token.
        public static func appAccountToken(_ token: UUID) -> PurchaseOption {
            PurchaseOption(wish: .appAccountToken(token))
        }

        /// Buys several.
        public static func quantity(_ quantity: Int) -> PurchaseOption {
            PurchaseOption(wish: .quantity(quantity))
        }
    }
}
