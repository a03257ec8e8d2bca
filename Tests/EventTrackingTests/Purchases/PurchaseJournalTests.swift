import EventTracking
import EventTrackingTestKit
import FlowEvents
import FlowTestSupport
import Foundation
import Testing

/// Purchases over several launches of an app.
@Suite struct PurchaseJournalTests {
    private let directory: TemporaryDirectory
    private let recorder = EventRecorder()
    private let reports = Box<[String]>([])
    private let home = PaywallReference(presentationID: "p-1", source: "home")
    private var path: String { directory.file("identity.json") }

    init() throws {
        directory = try TemporaryDirectory()
    }

    /// A launch of the app.
    private func launch(identity: IdentityStore? = nil) -> Tracker {
        Tracker(
            source: "app://test",
            identity: identity ?? .file(path: path),
            sink: .recording(recorder),
            now: { PurchaseMemoryTests.now },
            onReport: { [reports] report in
                if case .storage(let error) = report { reports.change { $0.append("\(error)") } }
            }
        )
    }

    private func transaction(_ id: String = "1", token: UUID? = nil, after milliseconds: Int64 = 0) -> StoreTransaction
    {
        let time = Timestamp(milliseconds: PurchaseMemoryTests.now.milliseconds + milliseconds)
        var transaction = StoreTransaction(id: id, productID: "pro", purchasedAt: time)
        transaction.isRenewable = true
        transaction.accountToken = token
        return transaction
    }

    private func update(_ transaction: StoreTransaction, in tracker: Tracker) async -> PurchaseTracking {
        await tracker.purchases.take(transaction, from: .update) { tracker.track($0) }
    }

    /// The events as text: type, presentation and source.
    private func lines() throws -> [String] {
        try recorder.events.map { "\($0.type) \($0.presentationID ?? "-") \($0.paywallSource ?? "-")" }
    }

    @Test func `a purchase that is approved in a later launch keeps its paywall`() async throws {
        let first = launch()
        let token = try #require(await first.purchases.begin(home))
        _ = await first.purchases.take(PurchaseFacts(.pending, productID: "pro"), on: home) { first.track($0) }
        await first.flush()
        let second = launch()
        let tracked = await update(transaction(token: token, after: 3_600_000), in: second)
        #expect(tracked == .tracked(transaction().facts()))
        await second.flush()
        #expect(try lines() == ["purchase_pending p-1 home", "purchase p-1 home"])
        #expect(Set(try recorder.events.map(\.installID)) == [token.uuidString.lowercased()])
    }

    @Test func `a purchase whose result a kill has taken keeps its paywall`() async throws {
        let token = try #require(await launch().purchases.begin(home))
        let second = launch()
        _ = await update(transaction(token: token), in: second)
        await second.flush()
        #expect(try lines() == ["purchase p-1 home"])
    }

    @Test func `a transaction that the app does not finish counts once in all launches`() async throws {
        for number in 0..<3 {
            let tracker = launch()
            let tracked = await update(transaction(), in: tracker)
            #expect(number == 0 ? tracked != .ignored(.counted) : tracked == .ignored(.counted))
            await tracker.flush()
        }
        #expect(try lines() == ["purchase - -"])
    }

    @Test func `a result and an update at the same time are one purchase`() async throws {
        let tracker = launch()
        await withTaskGroup { group in
            for number in 0..<20 {
                group.addTask {
                    let origin: PurchaseMemory.Origin = number.isMultiple(of: 2) ? .update : .result(home)
                    _ = await tracker.purchases.take(transaction(), from: origin) { tracker.track($0) }
                }
            }
        }
        await tracker.flush()
        #expect(try recorder.events.count == 1)
    }

    @Test func `the token is the install id, the same in the next launch, and none where that is no UUID`() async throws
    {
        let first = launch()
        let token = try #require(await first.purchases.begin(nil))
        #expect(await first.installID == token.uuidString.lowercased())
        #expect(await launch().purchases.begin(nil) == token)
        let named = launch(identity: .memory(Identity(installID: "anna's phone")))
        #expect(await named.purchases.begin(home) == nil)
        #expect(await named.installID == "anna's phone")
    }

    @Test func `an app with tokens of its own gets none, and keeps its paywalls`() async throws {
        let tracker = launch()
        tracker.purchases.accountTokens = .accounts
        #expect(await tracker.purchases.begin(home) == nil)
        _ = await update(transaction(token: UUID()), in: tracker)
        await tracker.flush()
        #expect(try lines() == ["purchase p-1 home"])
    }

    @Test func `who has opted out is not remembered, and what was bought then is not tracked later`() async throws {
        let tracker = launch()
        let token = await tracker.purchases.begin(home)
        #expect(FileManager.default.fileExists(atPath: path + ".purchases"))
        try await tracker.optOut()
        #expect(!FileManager.default.fileExists(atPath: path + ".purchases"))
        for tracker in [tracker, launch()] {
            #expect(await tracker.installID == nil)
            #expect(await tracker.purchases.begin(home) == nil)
            #expect(await update(transaction(), in: tracker) == .ignored(.optedOut))
        }
        #expect(!FileManager.default.fileExists(atPath: path + ".purchases"))
        let later = launch()
        try await later.optIn()
        #expect(await update(transaction(token: token), in: later) == .ignored(.otherInstall))
        #expect(await update(transaction("2", after: -7_200_000), in: later) == .ignored(.restored))
        await later.flush()
        #expect(try recorder.events.isEmpty)
    }

    @Test func `a damaged file is reported, and purchases count on`() async throws {
        try Data("{".utf8).write(to: URL(filePath: path + ".purchases"))
        let tracker = launch()
        _ = await tracker.purchases.begin(home)
        #expect(reports.current.count == 1)
        let second = launch()
        _ = await update(transaction(token: PurchaseMemoryTests.token), in: second)
        _ = await update(transaction("2", token: UUID(uuidString: await second.installID ?? "")), in: second)
        await second.flush()
        #expect(try lines() == ["purchase p-1 home"])
        #expect(reports.current.count == 1)
    }

    @Test func `what cannot be read now is read later, and not replaced before`() async throws {
        let isLocked = Box(true)
        let kept = Box<[UInt8]?>(nil)
        var identity = IdentityStore.memory(Identity(installID: PurchaseMemoryTests.install))
        identity.purchases = PurchaseStorage(
            load: {
                if isLocked.current { throw CocoaError(.fileReadNoPermission) }
                return kept.current
            },
            save: { bytes in
                if isLocked.current { throw CocoaError(.fileWriteNoPermission) }
                kept.current = bytes
            }
        )
        isLocked.current = false
        _ = await update(transaction("1"), in: launch(identity: identity))
        isLocked.current = true
        let tracker = launch(identity: identity)
        _ = await update(transaction("2"), in: tracker)
        #expect(!reports.current.isEmpty)
        isLocked.current = false
        #expect(await update(transaction("1"), in: tracker) == .ignored(.counted))
        #expect(await update(transaction("2"), in: tracker) == .ignored(.counted))
        #expect(await update(transaction("3"), in: tracker) != .ignored(.counted))
        let last = launch(identity: identity)
        for id in ["1", "2", "3"] { #expect(await update(transaction(id), in: last) == .ignored(.counted)) }
    }

    @Test func `only the owner may read the file, and it is small`() async throws {
        _ = await launch().purchases.begin(home)
        let attributes = try FileManager.default.attributesOfItem(atPath: path + ".purchases")
        #expect(attributes[.posixPermissions] as? Int == 0o600)
        #expect(try #require(attributes[.size] as? Int) < 300)
    }
}
