import EventTracking
import EventTrackingTestKit
import FlowEvents
import FlowTestSupport
import Foundation
import Testing

/// Tests a tracker whose identity store fails, or whose process crashes.
@Suite struct TrackerIdentityTests {
    private struct Broken: Error {}
    private let recorder = EventRecorder()

    private func tracker(_ identity: IdentityStore, reports: Box<[TrackerReport]> = Box([])) -> Tracker {
        Tracker(
            source: "app://test",
            identity: identity,
            sink: .recording(recorder),
            clock: ManualClock(),
            onReport: { report in reports.change { $0.append(report) } }
        )
    }

    @Test(arguments: 0..<40 as Range<UInt64>)
    func `no crash makes two events share a number, and every gap is an event that was lost`(seed: UInt64) async throws
    {
        var random = SeededRandom(seed: seed)
        let disk = Box<Identity?>(nil)
        var lost = 0
        var tracked = 0
        for _ in 0..<10 {
            // A run that crashes at its n-th save: before the save, or after it and before the events are sent.
            let dies = Int.random(in: 1...3, using: &random)
            let isKept = Bool.random(using: &random)
            let saves = Box(0)
            let isAlive = Box(true)
            let identity = IdentityStore(
                load: { disk.current },
                save: { identity in
                    let isLast = saves.change { saves in
                        saves += 1
                        return saves == dies
                    }
                    if !isLast || isKept { disk.current = identity }
                    if isLast { isAlive.current = false }
                }
            )
            let process = EventRecorder()
            let tracker = Tracker(
                source: "app://test",
                identity: identity,
                sink: EventSink(send: { [recorder] batch in
                    guard isAlive.current else { return batch.map { _ in .delivered } }
                    _ = await EventSink.recording(recorder).submit(batch).outcomes()
                    return await EventSink.recording(process).submit(batch).outcomes()
                }),
                clock: ManualClock()
            )
            while isAlive.current {
                let burst = Int.random(in: 1...5, using: &random)
                for _ in 0..<burst { tracker.track(EventDraft(type: "a")) }
                tracked += burst
                await tracker.flush()
            }
            lost = tracked - recorder.batches.joined().count
        }
        let numbers = try recorder.events.compactMap(\.sequence)
        #expect(Set(numbers).count == numbers.count, "seed \(seed)")
        #expect(numbers == numbers.sorted(), "seed \(seed)")
        let next = Int(try #require(disk.current).nextSequence)
        #expect(next - numbers.count <= lost, "more gaps than lost events, seed \(seed)")
    }

    @Test func `a damaged file is reported, and a new identity begins and is kept`() async throws {
        let folder = try TemporaryDirectory()
        let path = folder.file("identity.json")
        try Data("scribble".utf8).write(to: URL(fileURLWithPath: path))
        let reports = Box<[TrackerReport]>([])
        for _ in 0..<2 {
            let tracker = tracker(.file(path: path), reports: reports)
            tracker.track(EventDraft(type: "a"))
            await tracker.flush()
        }
        let events = try recorder.events
        #expect(events.map(\.sequence) == [0, 1])
        #expect(Set(events.map(\.installID)).count == 1)
        guard reports.current.count == 1, case .identity(let error as IdentityStoreError)? = reports.current.first,
            error.code == .damaged
        else {
            Issue.record("expected one report of a damaged file, got \(reports.current)")
            return
        }
    }

    @Test func `a store that cannot be read now is never overwritten, and events wait for it`() async throws {
        let saves = Box(0)
        let store = IdentityStore(load: { throw Broken() }, save: { _ in saves.change { $0 += 1 } })
        let reports = Box<[TrackerReport]>([])
        let tracker = tracker(store, reports: reports)
        tracker.track(EventDraft(type: "a"))
        tracker.track(EventDraft(type: "b"))
        await tracker.flush()
        #expect(try recorder.events.isEmpty && tracker.statistics.queued == 2)
        #expect(saves.current == 0 && reports.current.count == 1)
    }

    @Test func `while the identity cannot be kept, events go without a number, and it is said once`() async throws {
        let isFull = Box(false)
        let store = IdentityStore(load: { nil }, save: { _ in if isFull.current { throw Broken() } })
        let reports = Box<[TrackerReport]>([])
        let tracker = tracker(store, reports: reports)
        for full in [false, true, true, false] {
            isFull.current = full
            tracker.track(EventDraft(type: "a"))
            await tracker.flush()
        }
        #expect(try recorder.events.map(\.sequence) == [0, nil, nil, 1])
        #expect(Set(try recorder.events.map(\.installID)).count == 1)
        #expect(reports.current.count == 1)
    }
}
