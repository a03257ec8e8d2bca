import EventTracking
import FlowEvents
import Testing

@Suite struct EncodedEventTests {
    private func event(source: String) -> Event {
        Event(
            id: "e1",
            source: source,
            type: "screen_view",
            time: Timestamp(milliseconds: 1_772_323_200_000),
            installID: "5b0c",
            screen: "home \"sweet\" home"
        )
    }

    @Test func `an event's bytes go under its install id`() throws {
        let encoded = try EncodedEvent(event(source: "app://test"))
        #expect(encoded.id == "e1" && encoded.key == "5b0c")
        #expect(try encoded.value == event(source: "app://test").encoded())
        #expect(encoded.size == 4 + encoded.value.count)
    }

    @Test func `an event that breaks a rule is refused`() {
        #expect(throws: EventViolation.self) { try EncodedEvent(event(source: "")) }
    }
}
