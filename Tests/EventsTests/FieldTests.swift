import Testing
@testable import Events
@Suite struct FieldTests {
    @Test func `a property name is all that follows the first dot`() {
        #expect(Field(path: "properties.a.b") == .property("a.b"))
        #expect(Field(path: "screen") == .data("screen"))
        #expect(Field(path: "properties.") == nil)
    }
}
