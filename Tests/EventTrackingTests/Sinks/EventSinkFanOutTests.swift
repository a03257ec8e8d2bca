import EventTracking
import FlowEvents
import Testing

@Suite struct EventSinkFanOutTests {
    private static let busy = SinkFailure(code: "busy", detail: "")
    private static let bad = SinkFailure(code: "bad", detail: "")

    private func send(_ numbers: ClosedRange<Int>, to sink: EventSink) async -> [EventOutcome] {
        await sink.submit(numbers.map(encoded)).outcomes()
    }

    private func ids(_ recorder: EventRecorder) -> [String] { recorder.batches.joined().map(\.id) }

    @Test func `every sink gets every event`() async {
        let recorders = [EventRecorder(), EventRecorder()]
        #expect(await send(1...2, to: .fanOut(recorders.map(EventSink.recording))) == [.delivered, .delivered])
        #expect(recorders.map(ids) == [["e1", "e2"], ["e1", "e2"]])
    }

    @Test func `the clock is that of the first sink that has one`() async {
        let file = EventSink(send: { events in events.map { _ in .delivered } })
        let first = EventSink(send: { _ in [] }, clock: { .reading(Timestamp(milliseconds: 1)) })
        let second = EventSink(send: { _ in [] }, clock: { .unavailable(.retry(Self.busy)) })
        #expect(await EventSink.fanOut([file, first, second]).clock() == .reading(Timestamp(milliseconds: 1)))
        #expect(await EventSink.fanOut([second, file]).clock() == .unavailable(.retry(Self.busy)))
        #expect(await EventSink.fanOut([file]).clock() == .none)
    }

    @Test func `what one sink wants again the others do not see twice`() async {
        let isUp = Box(false)
        let steady = EventRecorder()
        let shaky = EventRecorder {
            $0.id == "e1" && !isUp.current ? .retry(Self.busy, after: .seconds(3)) : .delivered
        }
        let sink = EventSink.fanOut([.recording(steady), .recording(shaky)])
        #expect(await send(1...2, to: sink) == [.retry(Self.busy, after: .seconds(3)), .delivered])
        #expect(await send(1...1, to: sink) == [.retry(Self.busy, after: .seconds(3))])
        isUp.current = true
        #expect(await send(1...3, to: sink) == [.delivered, .delivered, .delivered])
        #expect(ids(steady) == ["e1", "e2", "e2", "e3"])
        #expect(ids(shaky) == ["e2", "e1", "e2", "e3"])
    }

    @Test func `an event that one sink rejects is rejected, once no sink wants it again`() async {
        let isUp = Box(false)
        let strict = EventRecorder { _ in .rejected(Self.bad) }
        let shaky = EventRecorder { _ in isUp.current ? .delivered : .retry(Self.busy) }
        let sink = EventSink.fanOut([.recording(strict), .recording(shaky)])
        #expect(await send(1...1, to: sink) == [.retry(Self.busy)])
        isUp.current = true
        #expect(await send(1...1, to: sink) == [.rejected(Self.bad)])
        #expect(ids(shaky) == ["e1"])
    }

    @Test func `a sink that answers for too few has rejected the rest`() async {
        let silent = EventSink(send: { _ in [] })
        guard case .rejected(let failure)? = await send(1...1, to: .fanOut([silent])).first else {
            Issue.record("expected a rejection")
            return
        }
        #expect(failure.code == "no_outcome")
    }

    @Test func `flush and shutdown reach every sink`() async {
        let calls = Box<[String]>([])
        let sinks = ["a", "b"].map { name in
            EventSink(
                send: { batch in batch.map { _ in .delivered } },
                flush: { calls.change { $0.append("flush \(name)") } },
                shutdown: { calls.change { $0.append("shutdown \(name)") } }
            )
        }
        let sink = EventSink.fanOut(sinks)
        await sink.flush()
        await sink.shutdown()
        #expect(calls.current.sorted() == ["flush a", "flush b", "shutdown a", "shutdown b"])
    }

    @Test func `the most cautious sink says how many batches may be on their way`() {
        let wide = EventSink(maximumBatchesInFlight: 8, submit: { _ in EventReceipt { [] } })
        let narrow = EventSink(maximumBatchesInFlight: 3, submit: { _ in EventReceipt { [] } })
        #expect(EventSink.fanOut([wide, narrow]).maximumBatchesInFlight == 3)
        #expect(EventSink.fanOut([]).maximumBatchesInFlight == 1)
    }
}
