import EventTracking
import Testing

@testable import KafkaSink

@Suite struct ProducerSuccessionTests {
    private let failure = SinkFailure(code: "fatal", detail: "")
    private let start = ContinuousClock.now

    @Test func `the first fatal error is answered by a new producer at once`() {
        var succession = ProducerSuccession()
        #expect(succession.turn(now: start) == .use)
        _ = succession.broke(0, failure, now: start, jitter: 0.5)
        #expect(succession.turn(now: start) == .replace)
        succession.replaced()
        #expect(succession.turn(now: start) == .use && succession.generation == 1)
    }

    @Test func `what is heard of an old producer, or twice, is no news`() {
        var succession = ProducerSuccession()
        var news = [succession.broke(0, failure, now: start, jitter: 0.5)]
        news.append(succession.broke(0, failure, now: start, jitter: 0.5))
        succession.replaced()
        news.append(succession.broke(0, failure, now: start, jitter: 0.5))
        #expect(news == [true, false, false])
        #expect(succession.turn(now: start) == .use)
    }

    @Test func `one after the other without a delivery makes the waits grow, to a minute`() {
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

    @Test func `a delivery ends the row`() {
        var succession = ProducerSuccession()
        for generation in 0..<2 {
            _ = succession.broke(generation, failure, now: start, jitter: 0.5)
            // It says nothing about a producer that is broken by now, nor does an old one's.
            succession.delivered(generation)
            succession.replaced()
            succession.delivered(generation)
        }
        succession.delivered(2)
        _ = succession.broke(2, failure, now: start, jitter: 0.5)
        #expect(succession.turn(now: start) == .replace)
    }

    @Test func `where no new producer can be made, it is tried again later`() {
        var succession = ProducerSuccession()
        _ = succession.broke(0, failure, now: start, jitter: 0.5)
        let other = SinkFailure(code: "no_producer", detail: "")
        succession.stayedBroken(other, now: start, jitter: 0.5)
        #expect(succession.turn(now: start) == .wait(other, .milliseconds(500)))
        #expect(succession.generation == 0)
    }
}
