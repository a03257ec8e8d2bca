/// The offer that a price is of. The raw values are those of `offer_type`.
public enum PurchaseOffer: String, Sendable, Hashable, CaseIterable {
    /// The full price.
    case none
    /// A free trial for new subscribers.
    case trial
    /// A lower price for new subscribers.
    case introductory
    /// An offer to people who subscribe, or who have subscribed before.
    case promotional
    /// An offer for a code.
    case code

    /// The offer with a type of the App Store.
    ///
    /// - Parameters:
    ///   - appStoreType: the App Store's
    ///     [`offerType`](https://developer.apple.com/documentation/appstoreserverapi/offertype); `nil` without an offer.
    ///   - paymentMode: how the offer is paid, as StoreKit or the App Store's server writes it: `freeTrial` or
    ///     `FREE_TRIAL`; `nil` if it is not known.
    /// - Returns: `nil` for a type that is newer than this release.
    package init?(appStoreType: Int?, paymentMode: String?) {
        switch appStoreType {
        case nil: self = .none
        case 1: self = paymentMode.map(Self.isFreeTrial) == true ? .trial : .introductory
        // 4: an offer to win back a person who has subscribed before.
        case 2, 4: self = .promotional
        case 3: self = .code
        default: return nil
        }
    }

    private static func isFreeTrial(_ paymentMode: String) -> Bool {
        paymentMode.lowercased().filter { $0 != "_" } == "freetrial"
    }
}
