package import FlowEvents

/// A presentation of a paywall, as it is kept for a purchase that ends later.
package struct PaywallReference: Sendable, Hashable, Codable {
    package var presentationID: String
    package var source: String

    package init(presentationID: String, source: String) {
        self.presentationID = presentationID
        self.source = source
    }
}

/// What is remembered of purchases, so that each counts once and with its paywall, also in another launch. It does no I/O.
package struct PurchaseMemory: Sendable, Hashable, Codable {
    /// The maximum number of transactions that are remembered as counted.
    package static let maximumCounted = 500
    /// The maximum number of purchases that have begun and not ended.
    package static let maximumOpen = 32
    /// The maximum size of a text in bytes. An event's texts have the same limit.
    private static let maximumTextSize = EventRules.maximumTextSize
    /// How long a purchase may wait. Ask to Buy ends after a day, a bank's check after some days.
    static let maximumWait = Duration.seconds(30 * 24 * 3600)

    /// A purchase that has begun on a paywall.
    struct Opening: Sendable, Hashable, Codable {
        var paywall: PaywallReference
        /// The product of a purchase that waits; `nil` until that is known.
        var productID: String?
        var beganAt: Int64
    }

    /// When the memory began. What was bought before and names no install is no purchase of this one.
    let since: Int64
    /// The ids of counted transactions, the newest last.
    package private(set) var counted: [String] = []
    /// The purchases that have begun and not ended, the newest last.
    var openings: [Opening] = []

    package init(since: Timestamp) {
        self.since = since.milliseconds
    }

    /// Remembers that a purchase begins on a paywall.
    package mutating func begin(_ paywall: PaywallReference, at now: Timestamp) {
        cancel(paywall)
        add(Opening(paywall: paywall, productID: nil, beganAt: now.milliseconds))
    }

    /// Remembers that a purchase waits.
    package mutating func wait(for productID: String, on paywall: PaywallReference?, at now: Timestamp) {
        guard let paywall else { return }
        cancel(paywall)
        openings.removeAll { $0.paywall == paywall && $0.productID == productID }
        add(Opening(paywall: paywall, productID: productID, beganAt: now.milliseconds))
    }

    /// Forgets that a purchase has begun on a paywall. One that waits still does.
    package mutating func cancel(_ paywall: PaywallReference?) {
        openings.removeAll { $0.paywall == paywall && $0.productID == nil }
    }

    /// Remembers a counted transaction. The oldest ones are forgotten beyond ``maximumCounted``.
    mutating func count(_ id: String) {
        guard id.utf8.count <= Self.maximumTextSize else { return }
        counted.append(id)
        counted.removeFirst(max(0, counted.count - Self.maximumCounted))
    }

    /// Adds what an earlier launch has remembered, which could not be read before.
    package mutating func merge(_ earlier: PurchaseMemory) {
        var merged = earlier
        for id in counted where !earlier.counted.contains(id) { merged.count(id) }
        for opening in openings where !earlier.openings.contains(opening) { merged.add(opening) }
        self = merged
    }

    private mutating func add(_ opening: Opening) {
        let texts = [opening.paywall.presentationID, opening.paywall.source, opening.productID ?? ""]
        guard texts.allSatisfy({ $0.utf8.count <= Self.maximumTextSize }) else { return }
        // Twice as long: a transaction may be told late.
        openings.removeAll { $0.beganAt < opening.beganAt - 2 * Self.maximumWait.wholeMilliseconds }
        openings.append(opening)
        openings.removeFirst(max(0, openings.count - Self.maximumOpen))
    }
}
