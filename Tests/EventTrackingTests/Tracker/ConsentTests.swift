import EventTracking
import EventTrackingTestKit
import FlowEvents
import FlowTestSupport
import Testing

/// Events that wait: for the user's consent, and for an identity that cannot be read yet.
@Suite struct ConsentTests {
    private let recorder = EventRecorder()

    private func launch(
        _ store: IdentityStore = .memory(),
        batching: BatchingConfiguration = BatchingConfiguration(),
        asks: Bool = true
    ) -> Tracker {
        Tracker(
            source: "app://test",
            identity: store,
            sink: .recording(recorder),
            configuration: TrackerConfiguration(batching: batching, asksForConsent: asks),
            clock: ManualClock()
        )
    }

    private func types() throws -> [String] { try recorder.events.map(\.type) }

    @Test func `events wait for consent, and are sent with the session and the times that they had`() async throws {
        let tracker = launch()
        #expect(await tracker.consent == .pending)
        tracker.track(EventDraft(type: "a"))
        await tracker.flush()
        #expect(try types() == [] && tracker.statistics.queued == 1)
        try await tracker.optIn()
        tracker.track(EventDraft(type: "b"))
        await tracker.flush()
        #expect(try types() == ["a", "b"] && tracker.statistics.queued == 0)
        #expect(Set(try recorder.events.map(\.sessionID)).count == 1)
        #expect(await tracker.consent == .granted)
    }

    @Test func `opting out erases what waits`() async throws {
        let tracker = launch()
        tracker.track(EventDraft(type: "a"))
        await tracker.flush()
        try await tracker.optOut()
        tracker.track(EventDraft(type: "b"))
        try await tracker.optIn()
        tracker.track(EventDraft(type: "c"))
        await tracker.flush()
        #expect(try types() == ["c"] && tracker.statistics.dropped == [.optedOut: 2])
    }

    @Test func `the choice holds in later launches`() async throws {
        let store = IdentityStore.memory()
        let first = launch(store)
        first.track(EventDraft(type: "a"))
        try await first.optIn()
        _ = await first.shutdown()
        let second = launch(store)
        second.track(EventDraft(type: "b"))
        await second.flush()
        #expect(try types() == ["a", "b"])
        try await second.optOut()
        let third = launch(store)
        #expect(await third.consent == .denied)
        third.track(EventDraft(type: "c"))
        await third.flush()
        #expect(try types() == ["a", "b"])
    }

    @Test func `who was tracked before the app asked is asked, too`() async throws {
        let store = IdentityStore.memory()
        let first = launch(store, asks: false)
        first.track(EventDraft(type: "a"))
        _ = await first.shutdown()
        #expect(await launch(store).consent == .pending)
        #expect(await launch(store, asks: false).consent == .granted)
    }

    @Test func `what waits is bounded by number and by bytes, and the oldest go`() async throws {
        for batching in [
            BatchingConfiguration(maximumQueueCount: 5), BatchingConfiguration(maximumQueueBytes: 5 * 1000),
        ] {
            let tracker = launch(batching: batching)
            for number in 0..<20 {
                let text = String(repeating: "x", count: 500)
                tracker.track(EventDraft(type: "e\(number)", properties: ["text": .string(text)]))
                await tracker.flush()
            }
            #expect((tracker.statistics.dropped[.queueFull] ?? 0) >= 15, "\(batching)")
            #expect(tracker.statistics.queued <= 5 && tracker.statistics.queued > 2, "\(batching)")
        }
    }

    @Test func `what still waits at the end is counted as not sent`() async throws {
        let tracker = launch()
        tracker.track(EventDraft(type: "a"))
        let report = await tracker.shutdown()
        #expect(report.unsent == 1 && tracker.statistics.queued == 0)
    }

    @Test func `events wait for an identity that cannot be read yet, and have it then`() async throws {
        let isLocked = Locked(true)
        let reports = Locked(0)
        let stored = Locked(Identity(installID: "the-install", nextSequence: 7))
        let store = IdentityStore(
            load: {
                if isLocked.withLock({ $0 }) {
                    throw IdentityStoreError(.unreadable, path: "identity.json", detail: "the device is locked")
                }
                return stored.withLock { $0 }
            },
            save: { identity in stored.withLock { $0 = identity } }
        )
        let tracker = Tracker(
            source: "app://test",
            identity: store,
            sink: .recording(recorder),
            clock: ManualClock(),
            onReport: { report in if case .identity = report { reports.withLock { $0 += 1 } } }
        )
        for _ in 0..<3 {
            tracker.track(EventDraft(type: "push"))
            await tracker.flush()
        }
        #expect(try types() == [] && tracker.statistics.queued == 3)
        #expect(await tracker.installID == nil && reports.withLock { $0 } == 1)
        #expect(await tracker.consent == .unknown)
        #expect(await tracker.store() == false)
        isLocked.withLock { $0 = false }
        tracker.track(EventDraft(type: "open"))
        await tracker.flush()
        #expect(try types() == ["push", "push", "push", "open"])
        #expect(try recorder.events.map(\.sequence) == [7, 8, 9, 10])
        #expect(Set(try recorder.events.map(\.installID)) == ["the-install"])
        #expect(await tracker.store())
    }

    @Test func `an opt-out that was saved holds for what has waited`() async throws {
        let isLocked = Locked(true)
        let store = IdentityStore(
            load: {
                if isLocked.withLock({ $0 }) { throw IdentityStoreError(.unreadable, path: "i", detail: "locked") }
                return Identity(installID: "i", hasOptedOut: true)
            },
            save: { _ in }
        )
        let tracker = launch(store, asks: false)
        tracker.track(EventDraft(type: "a"))
        await tracker.flush()
        isLocked.withLock { $0 = false }
        tracker.track(EventDraft(type: "b"))
        await tracker.flush()
        #expect(try types() == [] && tracker.statistics.dropped == [.optedOut: 2])
    }
}
