extension Transaction {
    /// Who has paid.
    public struct OwnershipType: RawRepresentable, Sendable, Hashable {
        /// The name.
        public let rawValue: String

        /// Creates a type from its name.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// The person.
        public static let purchased = OwnershipType(rawValue: "PURCHASED")
        /// Someone of the person's family.
        public static let familyShared = OwnershipType(rawValue: "FAMILY_SHARED")
    }

    /// Why there is a transaction.
    public struct Reason: RawRepresentable, Sendable, Hashable {
        /// The name.
        public let rawValue: String

        /// Creates a reason from its name.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// The person has bought it.
        public static let purchase = Reason(rawValue: "PURCHASE")
        /// A subscription has renewed itself.
        public static let renewal = Reason(rawValue: "RENEWAL")
    }

    /// Who gets an offer.
    public struct OfferType: RawRepresentable, Sendable, Hashable {
        /// The number.
        public let rawValue: Int

        /// Creates a type from its number.
        public init(rawValue: Int) {
            self.rawValue = rawValue
        }

        /// New subscribers.
        public static let introductory = OfferType(rawValue: 1)
        /// People who subscribe, or have subscribed.
        public static let promotional = OfferType(rawValue: 2)
        /// Who has a code.
        public static let code = OfferType(rawValue: 3)
        /// People who have subscribed.
        public static let winBack = OfferType(rawValue: 4)
    }

    /// An offer that a price is of.
    public struct Offer: Sendable, Hashable {
        /// How an offer is paid.
        public struct PaymentMode: RawRepresentable, Sendable, Hashable {
            /// The name.
            public let rawValue: String

            /// Creates a mode from its name.
            public init(rawValue: String) {
                self.rawValue = rawValue
            }

            /// Nothing for some time.
            public static let freeTrial = PaymentMode(rawValue: "FREE_TRIAL")
            /// A lower price for each of some periods.
            public static let payAsYouGo = PaymentMode(rawValue: "PAY_AS_YOU_GO")
            /// A lower price for some time at once.
            public static let payUpFront = PaymentMode(rawValue: "PAY_UP_FRONT")
        }

        /// Who gets it.
        public var type: OfferType
        /// How it is paid.
        public var paymentMode: PaymentMode?

        /// Creates an offer.
        public init(type: OfferType, paymentMode: PaymentMode? = nil) {
            self.type = type
            self.paymentMode = paymentMode
        }
    }
}
