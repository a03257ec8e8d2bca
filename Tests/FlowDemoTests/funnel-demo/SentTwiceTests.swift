import EventTracking
import Testing

@testable import funnel_demo

@Suite struct SentTwiceTests {
    @Test func `every event is delivered twice and counted once as a repeat`() async throws {
        let recorder = EventRecorder()
        let counter = RepeatCounter()
        let tracker = Tracker(
            source: "app://test",
            identity: .memory(),
            sink: EventSink.recording(recorder).sentTwice(countedBy: counter)
        )
        for number in 0..<5 { tracker.track(EventDraft(type: "event-\(number)")) }
        await tracker.flush()
        #expect(tracker.statistics.delivered == 5)
        #expect(await counter.count == 5)
        let documents = recorder.batches.joined().map(\.value)
        #expect(documents.count == 10)
        #expect(Set(documents).count == 5)
    }
}
