import FlowEventTestSupport
import FlowEvents
import Testing
@testable import EventReader
@Suite struct ReadersAgreeTests {
    @Test func `simdjson and the reader of Events say the same of every document`() {
        let (count, seed) = (FuzzRun.inputs(usually: 12_000), FuzzRun.seed(usually: 301))
        let fields: [Field] = [
            .data("screen"), .data("user_id"), .data("sequence"), .property("platform"), .property(""),
            .data("properties"),
        ]
        let fast = EventReader(fields: fields)
        let slow = EventReader(fields: fields)
        let simdjson = SimdjsonReader(fields: fields)
        var mutator = DocumentMutator(seed: seed)
        var (valid, invalid, refused) = (0, 0, 0)
        for round in 0..<count {
            let document = mutator.next()
            let expected = slow.readSlowly(document)
            let reading = fast.read(document)
            guard reading.snapshot == expected.snapshot, reading.violation == expected.violation else {
                let text = String(decoding: document, as: UTF8.self)
                Issue.record("seed \(seed), round \(round): \(reading) instead of \(expected) for \(text)")
                return
            }
            if expected.violation == nil { valid += 1 } else { invalid += 1 }
            if expected.violation == nil, !document.withUnsafeBytes(simdjson.read) { refused += 1 }
        }
        // The mutator has produced documents of every kind.
        #expect(valid > count / 4 && invalid > count / 4 && refused > count / 600)
    }
    @Test func `a random event is read as it was written`() throws {
        let reader = EventReader(fields: [.data("screen"), .data("user_id")])
        var generator = SeededGenerator(seed: 21)
        for round in 0..<3000 {
            let event = Event.random(using: &generator)
            #expect(reader.read(try event.encoded()).snapshot == EventSnapshot(event), "seed 21, round \(round)")
        }
    }
}

extension EventReader {
    /// Reads with the parser of `FlowEvents` only.
    func readSlowly(_ value: [UInt8]) -> EventReading<EventSnapshot> {
        value.withUnsafeBytes { bytes in
            var event = EventFields.empty
            if let violation = loadSlowly(bytes, recordTimestamp: nil, into: &event) { return .deadLetter(violation) }
            return .valid(EventSnapshot(event))
        }
    }
}
