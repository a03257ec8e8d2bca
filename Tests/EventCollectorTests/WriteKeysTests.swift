import Testing

@testable import EventCollector

@Suite struct WriteKeysTests {
    private let old = WriteKey(name: "old", secret: "aaaaaaaaaaaaaaaaaaaa", sources: ["app://a"])
    private let new = WriteKey(name: "new", secret: "bbbbbbbbbbbbbbbbbbbb", sources: ["app://a"])

    @Test func `a key is found by its whole secret`() {
        let keys = WriteKeys([old, new])
        #expect(keys.key(authorization: "Bearer aaaaaaaaaaaaaaaaaaaa")?.name == "old")
        #expect(keys.key(authorization: "bearer bbbbbbbbbbbbbbbbbbbb")?.name == "new")
    }

    @Test(arguments: [
        nil, "", "Bearer", "Bearer ", "aaaaaaaaaaaaaaaaaaaa", "Basic aaaaaaaaaaaaaaaaaaaa",
        "Bearer aaaaaaaaaaaaaaaaaaa", "Bearer aaaaaaaaaaaaaaaaaaaab", "Bearer  aaaaaaaaaaaaaaaaaaaa",
        "Bearer aaaaaaaaaaaaaaaaaaab", "Bearer baaaaaaaaaaaaaaaaaaa",
    ])
    func `what is not a whole secret finds none`(header: String?) {
        #expect(WriteKeys([old]).key(authorization: header) == nil)
    }

    @Test func `a key that was replaced is not valid any more`() {
        let keys = WriteKeys([old])
        keys.replace(with: [new])
        #expect(keys.key(authorization: "Bearer aaaaaaaaaaaaaaaaaaaa") == nil)
        #expect(keys.key(authorization: "Bearer bbbbbbbbbbbbbbbbbbbb")?.name == "new")
    }

    @Test func `no description shows a secret`() {
        var dumped = ""
        dump(old, to: &dumped)
        for text in ["\(old)", String(reflecting: old), dumped] {
            #expect(!text.contains("aaaa"))
            #expect(text.contains("old"))
        }
    }
}
