import FlowEventTestSupport
import FlowEvents
import Testing

@Suite struct EventTests {
    @Test func `changing a copy leaves the other as it was`() {
        var random = SeededGenerator(seed: 7)
        let event = Event.random(using: &random)
        let before = try? event.encoded()
        var copy = event
        copy.properties["added"] = 1
        copy.screen = "another"
        #expect(copy != event && copy.properties["added"] == 1 && copy.screen == "another")
        #expect(event.properties["added"] == nil && (try? event.encoded()) == before)
    }

    @Test func `events that say the same are equal, however they came about`() {
        let event = EventEncodingTests.minimal
        var other = event
        other.userID = "u"
        #expect(other != event)
        other.userID = nil
        #expect(other == event && other.hashValue == event.hashValue)
    }
}
