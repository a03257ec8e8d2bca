import EventTracking
import FlowEvents
import Foundation
import Testing

@Suite struct PurchaseMemoryTests {
    static let install = "0193479e-8f8c-7c3a-9d8e-2f0a6b1c4d5e"
    static let token = UUID(uuidString: install)
    static let now = Timestamp(milliseconds: 1_800_000_000_000)
    private static let day: Int64 = 24 * 3_600_000
    private static let home = PaywallReference(presentationID: "p-1", source: "home")
    private static let profile = PaywallReference(presentationID: "p-2", source: "profile")

    private var memory = PurchaseMemory(since: now)

    private static func transaction(
        _ id: String = "1",
        after milliseconds: Int64 = 0,
        _ change: (inout StoreTransaction) -> Void = { _ in }
    ) -> StoreTransaction {
        var transaction = StoreTransaction(
            id: id,
            productID: "pro",
            purchasedAt: Timestamp(milliseconds: now.milliseconds + milliseconds)
        )
        transaction.isRenewable = true
        transaction.accountToken = token
        change(&transaction)
        return transaction
    }

    private mutating func decide(
        _ transaction: StoreTransaction,
        from origin: PurchaseMemory.Origin = .update,
        installID: String? = install,
        tokens: AccountTokens = .installs
    ) -> PurchaseMemory.Decision {
        memory.decide(transaction, from: origin, installID: installID, tokens: tokens)
    }

    /// An app reads what the release before it has kept. If it could not, purchases would count twice.
    @Test mutating func `the form in which it is kept stays the same`() throws {
        #expect(decide(Self.transaction(), from: .result(nil)) == .purchase(nil))
        memory.begin(Self.home, at: Self.now)
        memory.wait(for: "pro", on: Self.profile, at: Self.now)
        let kept = [
            #"{"counted":["1"],"openings":["#,
            #"{"beganAt":1800000000000,"paywall":{"presentationID":"p-1","source":"home"}},"#,
            #"{"beganAt":1800000000000,"paywall":{"presentationID":"p-2","source":"profile"},"productID":"pro"}],"#,
            #""since":1800000000000}"#,
        ].joined()
        #expect(try JSONDecoder().decode(PurchaseMemory.self, from: Data(kept.utf8)) == memory)
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        #expect(String(decoding: try encoder.encode(memory), as: UTF8.self) == kept)
    }

    @Test mutating func `a result is a purchase on its paywall`() {
        #expect(decide(Self.transaction(), from: .result(Self.home)) == .purchase(Self.home))
        #expect(decide(Self.transaction("2"), from: .result(nil)) == .purchase(nil))
    }

    @Test mutating func `a purchase counts once, however often the store reports it`() {
        #expect(decide(Self.transaction(), from: .result(Self.home)) == .purchase(Self.home))
        #expect(decide(Self.transaction()) == .ignored(.counted))
        #expect(decide(Self.transaction(), from: .result(Self.profile)) == .ignored(.counted))
    }

    @Test mutating func `an update that is faster than the result takes the paywall`() {
        memory.begin(Self.home, at: Self.now)
        #expect(decide(Self.transaction()) == .purchase(Self.home))
        #expect(decide(Self.transaction(), from: .result(Self.home)) == .ignored(.counted))
    }

    @Test(arguments: [PurchaseMemory.Origin.update, .result(PaywallReference(presentationID: "p-1", source: "home"))])
    mutating func `what is taken back, shared or renewed is no purchase`(origin: PurchaseMemory.Origin) {
        #expect(decide(Self.transaction { $0.isRevoked = true }, from: origin) == .ignored(.revoked))
        #expect(decide(Self.transaction { $0.isPaidByOthers = true }, from: origin) == .ignored(.shared))
        #expect(decide(Self.transaction { $0.isRenewal = true }, from: origin) == .ignored(.renewed))
    }

    @Test mutating func `a restored product is no purchase, and a subscription taken up again is one`() {
        let restored = Self.transaction("2") {
            $0.isRenewable = false
            $0.originalID = "1"
        }
        #expect(decide(restored) == .ignored(.restored))
        #expect(decide(restored, from: .result(Self.home)) == .ignored(.restored))
        #expect(decide(Self.transaction("3") { $0.originalID = "1" }) == .purchase(nil))
    }

    @Test mutating func `the purchase of what is owned already is no purchase`() {
        let owned = Self.transaction(after: -Self.day) { $0.signedAt = Self.now }
        #expect(decide(owned, from: .result(Self.home)) == .ignored(.restored))
    }

    @Test mutating func `a purchase that waits keeps its paywall for 30 days`() {
        memory.begin(Self.home, at: Self.now)
        memory.wait(for: "pro", on: Self.home, at: Self.now)
        var late = self
        #expect(decide(Self.transaction(after: 30 * Self.day)) == .purchase(Self.home))
        #expect(late.decide(Self.transaction(after: 30 * Self.day + 1)) == .purchase(nil))
    }

    @Test mutating func `a purchase that waits is found by its product`() {
        memory.wait(for: "pro", on: Self.home, at: Self.now)
        memory.wait(for: "coins", on: Self.profile, at: Self.now)
        #expect(decide(Self.transaction("1") { $0.accountToken = nil }) == .purchase(Self.home))
        #expect(decide(Self.transaction("2") { $0.productID = "coins" }) == .purchase(Self.profile))
        #expect(decide(Self.transaction("3")) == .purchase(nil))
    }

    @Test mutating func `a purchase without a result is the newest that has begun, for a day`() {
        memory.begin(Self.home, at: Self.now)
        memory.begin(Self.profile, at: Self.now)
        #expect(decide(Self.transaction("1", after: Self.day)) == .purchase(Self.profile))
        #expect(decide(Self.transaction("2", after: Self.day + 1)) == .purchase(nil))
    }

    @Test mutating func `what is bought outside of the app takes no paywall`() {
        memory.begin(Self.home, at: Self.now)
        #expect(decide(Self.transaction { $0.accountToken = nil }) == .purchase(nil))
        #expect(decide(Self.transaction("2")) == .purchase(Self.home))
    }

    @Test mutating func `a purchase that was given up leaves no paywall`() {
        memory.begin(Self.home, at: Self.now)
        memory.cancel(Self.home)
        #expect(decide(Self.transaction()) == .purchase(nil))
    }

    @Test mutating func `another install's token is another install's purchase, unless the app has its own`() {
        let other = Self.transaction { $0.accountToken = UUID() }
        #expect(decide(other) == .ignored(.otherInstall))
        #expect(decide(other, tokens: .accounts) == .purchase(nil))
    }

    @Test(arguments: [nil, "no-uuid"])
    mutating func `where the install id is not known or no UUID, a token excludes nothing`(installID: String?) {
        #expect(decide(Self.transaction { $0.accountToken = UUID() }, installID: installID) == .purchase(nil))
    }

    @Test mutating func `what was bought before the install and names none is restored`() {
        let before = Self.transaction(after: -3_600_001) { $0.accountToken = nil }
        #expect(decide(before) == .ignored(.restored))
        // The clocks may differ.
        #expect(decide(Self.transaction(after: -3_600_000) { $0.accountToken = nil }) == .purchase(nil))
        #expect(decide(Self.transaction("2", after: -Self.day)) == .purchase(nil))
    }

    @Test mutating func `a memory that was read late has both runs`() {
        var earlier = PurchaseMemory(since: Timestamp(milliseconds: 0))
        earlier.wait(for: "pro", on: Self.home, at: Self.now)
        #expect(decide(Self.transaction("2"), from: .result(nil)) == .purchase(nil))
        memory.merge(earlier)
        #expect(decide(Self.transaction("2")) == .ignored(.counted))
        #expect(decide(Self.transaction("1")) == .purchase(Self.home))
    }
}
