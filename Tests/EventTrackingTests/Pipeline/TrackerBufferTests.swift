import FlowEvents
import Testing

@testable import EventTracking

@Suite struct TrackerBufferTests {
    private func add(_ types: ClosedRange<Int>, to intake: TrackerBuffer) -> [TrackerBuffer.Wake] {
        types.map { intake.add(EventDraft(type: "\($0)"), at: Timestamp(milliseconds: 0)) }
    }

    private func types(_ chunk: TrackerBuffer.Chunk) -> [String] {
        var entries = chunk.entries
        return entries.removeFirst(.max).map(\.draft.type)
    }

    @Test func `only the first entry wakes the worker, until it may sleep again`() {
        let intake = TrackerBuffer(limit: 100)
        #expect(add(1...3, to: intake) == [.start, .nothing, .nothing])
        #expect(!intake.letWorkerSleep())
        #expect(types(intake.take()) == ["1", "2", "3"])
        #expect(add(4...4, to: intake) == [.nothing])
        _ = intake.take()
        #expect(intake.letWorkerSleep())
        #expect(add(5...5, to: intake) == [.start])
    }

    @Test func `a worker that rests is hurried once when a quarter of the buffer is full`() {
        let intake = TrackerBuffer(limit: 12)
        #expect(add(1...5, to: intake) == [.start, .nothing, .hurry, .nothing, .nothing])
    }

    @Test func `a full buffer drops its oldest and counts them`() {
        let intake = TrackerBuffer(limit: 3)
        _ = add(1...5, to: intake)
        let chunk = intake.take()
        #expect(types(chunk) == ["3", "4", "5"] && chunk.overflow == 2)
        #expect(intake.take().isEmpty && intake.tracked == 5)
    }

    @Test(arguments: 1...4) func `if the event that begins a session is dropped, the next one begins it`(limit: Int) {
        let intake = TrackerBuffer(limit: limit)
        _ = add(1...1, to: intake)
        _ = intake.identify(nil, beginsSession: true)
        _ = add(2...5, to: intake)
        var entries = intake.take().entries
        let kept = entries.removeFirst(.max)
        // Only a buffer for all four still has the second event. Otherwise the oldest one begins the session.
        #expect(kept.map(\.beginsSession) == (0..<limit).map { $0 == 0 })
    }

    @Test func `what comes after the end is counted, and its drafts are not kept`() {
        let intake = TrackerBuffer(limit: 3)
        _ = add(1...1, to: intake)
        intake.close()
        _ = add(2...9, to: intake)
        let chunk = intake.take()
        #expect(types(chunk) == ["1"] && chunk.refused == 8 && chunk.overflow == 0)
    }
}
