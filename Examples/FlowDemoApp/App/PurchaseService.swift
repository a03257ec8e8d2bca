/// The shop that the paywall buys from: a witness, so that StoreKit, a test and a simulation are values of one type.
public struct PurchaseService: Sendable {
    /// How a purchase ended.
    public enum Outcome: Sendable, Hashable {
        /// It is paid for.
        case bought
        /// The person, or whoever was asked to approve, did not want it.
        case cancelled
    }

    /// Buys a plan and tells the outcome, once.
    ///
    /// That may take long: a purchase that a parent has to approve ends when the paywall is no longer there.
    public var buy: @MainActor (Plan, _ outcome: @escaping @MainActor (Outcome) -> Void) -> Void

    /// Creates a service from what it does.
    public init(buy: @escaping @MainActor (Plan, _ outcome: @escaping @MainActor (Outcome) -> Void) -> Void) {
        self.buy = buy
    }
}
