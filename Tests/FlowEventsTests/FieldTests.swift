import Testing
@testable import FlowEvents
@Suite struct FieldTests {
    @Test func `a property name is all that follows the first dot`() {
        #expect(Field(path: "properties.a.b") == .property("a.b"))
        #expect(Field(path: "screen") == .data("screen"))
        #expect(Field(path: "properties.") == nil)
        #expect(Field(path: "") == nil)
    }
    @Test func `a combining mark after the dot belongs to the name`() {
        #expect(Field(path: "properties.\u{301}x") == .property("\u{301}x"))
    }
    @Test func `names that look the same but have other bytes are other fields`() {
        #expect(Field.data("caf\u{E9}") != .data("cafe\u{301}"))
        #expect(Set([Field.data("caf\u{E9}"), .data("cafe\u{301}"), .data("caf\u{E9}")]).count == 2)
    }
    @Test func `a field of data is never a property`() {
        #expect(Field.data("properties.a") != .property("a"))
    }
}
