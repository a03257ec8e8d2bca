import Testing

@testable import Kafka

@Suite struct ProducerStateMachineTests {
    private let start = ContinuousClock.now

    private func name(_ action: ProducerStateMachine<Int>.Action) -> String {
        switch action {
        case .produce(let batch): "produce \(batch)"
        case .poll: "poll"
        case .flush: "flush"
        case .giveUp(let batches): "give up \(batches)"
        case .finish: "finish"
        }
    }

    @Test func `batches go out in the order in which they came`() {
        var machine = ProducerStateMachine<Int>()
        #expect(machine.submit(1) && machine.submit(2))
        #expect(name(machine.next(outstanding: 0, now: start)) == "produce 1")
        #expect(name(machine.next(outstanding: 0, now: start)) == "produce 1")
        machine.handedOver()
        #expect(name(machine.next(outstanding: 1, now: start)) == "produce 2")
        machine.handedOver()
        #expect(name(machine.next(outstanding: 2, now: start)) == "poll")
    }

    @Test func `a full queue is polled before the same batch goes on`() {
        var machine = ProducerStateMachine<Int>()
        #expect(machine.submit(1))
        machine.queueWasFull()
        #expect(name(machine.next(outstanding: 5, now: start)) == "poll")
        #expect(name(machine.next(outstanding: 4, now: start)) == "produce 1")
    }

    @Test func `closing refuses new batches and delivers the old ones`() {
        var machine = ProducerStateMachine<Int>()
        #expect(machine.submit(1))
        machine.close(by: start + .seconds(1))
        #expect(!machine.submit(2))
        #expect(name(machine.next(outstanding: 0, now: start)) == "produce 1")
        machine.handedOver()
        #expect(name(machine.next(outstanding: 3, now: start)) == "flush")
        #expect(name(machine.next(outstanding: 0, now: start)) == "finish")
    }

    @Test func `what is left at the deadline is given up once`() {
        var machine = ProducerStateMachine<Int>()
        #expect(machine.submit(1) && machine.submit(2))
        machine.close(by: start + .seconds(1))
        let late = start + .seconds(1)
        #expect(name(machine.next(outstanding: 3, now: late)) == "give up [1, 2]")
        #expect(name(machine.next(outstanding: 3, now: late)) == "poll")
        #expect(name(machine.next(outstanding: 0, now: late)) == "finish")
    }

    @Test func `a second close can only bring the deadline forward`() {
        var machine = ProducerStateMachine<Int>()
        machine.close(by: start + .seconds(1))
        machine.close(by: start + .seconds(9))
        #expect(name(machine.next(outstanding: 1, now: start + .seconds(2))) == "give up []")
    }
}
