import EventTracking
import Testing

@testable import KafkaSink

@Suite struct ProducerSuccessionTests {
    private let failure = SinkFailure(code: "fatal", detail: "")
    private let start = ContinuousClock.now

    @Test func `after the first fatal error a new producer is created at once`() {
        var succession = ProducerSuccession()
        #expect(succession.turn(now: start) == .use)
        _ = succession.broke(0, failure, now: start, jitter: 0.5)
        #expect(succession.turn(now: start) == .replace)
        succession.replaced()
        #expect(succession.turn(now: start) == .use && succession.generation == 1)
    }

    @Test func `failures of an old producer, and repeated failures, are ignored`() {
        var succession = ProducerSuccession()
        var reports = [succession.broke(0, failure, now: start, jitter: 0.5)]
        reports.append(succession.broke(0, failure, now: start, jitter: 0.5))
        succession.replaced()
        reports.append(succession.broke(0, failure, now: start, jitter: 0.5))
        #expect(reports == [true, false, false])
        #expect(succession.turn(now: start) == .use)
    }

    @Test func `failures in a row without a delivery make the waits grow, up to a minute`() {
        var succession = ProducerSuccession()
        var waits: [Duration] = []
        for generation in 0..<10 {
            _ = succession.broke(generation, failure, now: start, jitter: 0.5)
            if case .wait(failure, let time) = succession.turn(now: start) { waits.append(time) }
            #expect(succession.turn(now: start + .seconds(60)) == .replace)
            succession.replaced()
        }
        #expect(waits == [0.5, 1, 2, 4, 8, 16, 30, 30, 30].map { .seconds($0) })
    }

    @Test func `a delivery ends the row of failures`() {
        var succession = ProducerSuccession()
        for generation in 0..<2 {
            _ = succession.broke(generation, failure, now: start, jitter: 0.5)
            // A delivery of a broken producer or an old one does not count.
            succession.delivered(generation)
            succession.replaced()
            succession.delivered(generation)
        }
        succession.delivered(2)
        _ = succession.broke(2, failure, now: start, jitter: 0.5)
        #expect(succession.turn(now: start) == .replace)
    }

    @Test func `if no new producer can be created, the next attempt waits`() {
        var succession = ProducerSuccession()
        _ = succession.broke(0, failure, now: start, jitter: 0.5)
        let other = SinkFailure(code: "no_producer", detail: "")
        succession.stayedBroken(other, now: start, jitter: 0.5)
        #expect(succession.turn(now: start) == .wait(other, .milliseconds(500)))
        #expect(succession.generation == 0)
    }
}
