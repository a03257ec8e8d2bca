import Testing

@testable import RDKafka

@Suite struct ProducerStateMachineTests {
    private let start = ContinuousClock.now

    @Test func `batches are handed over in the order of submission`() {
        let machine = Machine()
        #expect(machine.submit(1))
        #expect(machine.submit(2))
        #expect(machine.next(outstanding: 0, now: start) == "produce 1")
        #expect(machine.next(outstanding: 0, now: start) == "produce 1")
        machine.handedOver()
        #expect(machine.next(outstanding: 1, now: start) == "produce 2")
        machine.handedOver()
        #expect(machine.next(outstanding: 2, now: start) == "poll")
    }

    @Test func `a full queue is polled before the same batch continues`() {
        let machine = Machine()
        #expect(machine.submit(1))
        machine.queueWasFull()
        #expect(machine.next(outstanding: 5, now: start) == "poll")
        #expect(machine.next(outstanding: 4, now: start) == "produce 1")
    }

    @Test func `closing refuses new batches and delivers the old ones`() {
        let machine = Machine()
        #expect(machine.submit(1))
        machine.close(by: start + .seconds(1))
        #expect(machine.submit(2) == false)
        #expect(machine.next(outstanding: 0, now: start) == "produce 1")
        machine.handedOver()
        #expect(machine.next(outstanding: 3, now: start) == "flush")
        #expect(machine.next(outstanding: 0, now: start) == "finish")
    }

    @Test func `the remaining batches are given up once at the deadline`() {
        let machine = Machine()
        #expect(machine.submit(1))
        #expect(machine.submit(2))
        machine.close(by: start + .seconds(1))
        let late = start + .seconds(1)
        #expect(machine.next(outstanding: 3, now: late) == "give up [1, 2]")
        #expect(machine.next(outstanding: 3, now: late) == "poll")
        #expect(machine.next(outstanding: 0, now: late) == "finish")
    }

    @Test func `a second close can only move the deadline forward`() {
        let machine = Machine()
        machine.close(by: start + .seconds(1))
        machine.close(by: start + .seconds(9))
        #expect(machine.next(outstanding: 1, now: start + .seconds(2)) == "give up []")
    }

    @Test func `a flush ends when as many records are settled as were outstanding`() {
        let machine = Machine()
        machine.flush()
        #expect(machine.next(outstanding: 3, settled: 4, now: start) == "flush")
        #expect(machine.next(outstanding: 5, settled: 6, now: start) == "flush")
        #expect(machine.next(outstanding: 5, settled: 7, now: start) == "poll")
        #expect(machine.next(outstanding: 5, settled: 8, now: start) == "poll")
    }

    @Test func `a flush covers earlier batches that wait for room in the queue`() {
        let machine = Machine()
        #expect(machine.submit(1))
        machine.flush()
        machine.queueWasFull()
        #expect(machine.next(outstanding: 2, settled: 0, now: start) == "poll")
        #expect(machine.next(outstanding: 0, settled: 2, now: start) == "produce 1")
        machine.handedOver()
        #expect(machine.next(outstanding: 1, settled: 2, now: start) == "flush")
        #expect(machine.next(outstanding: 0, settled: 3, now: start) == "poll")
    }

    @Test func `a flush of nothing does nothing`() {
        let machine = Machine()
        machine.flush()
        #expect(machine.next(outstanding: 0, now: start) == "poll")
    }
}

/// A class around the state machine, because `#expect` takes no mutating calls. It returns actions as text.
private final class Machine {
    private var machine = ProducerStateMachine<Int>()

    func submit(_ batch: Int) -> Bool { machine.submit(batch) }
    func handedOver() { machine.handedOver() }
    func queueWasFull() { machine.queueWasFull() }
    func close(by deadline: ContinuousClock.Instant) { machine.close(by: deadline) }

    func flush() { machine.flush() }

    func next(outstanding: Int, settled: Int = 0, now: ContinuousClock.Instant) -> String {
        switch machine.next(outstanding: outstanding, settled: settled, now: now) {
        case .produce(let batch): "produce \(batch)"
        case .poll: "poll"
        case .flush: "flush"
        case .giveUp(let batches): "give up \(batches)"
        case .finish: "finish"
        }
    }
}
