import FunnelConsumerConfiguration
import Testing

@Suite struct StoreURLTests {
    @Test(arguments: [("sqlite:funnels.sqlite", "funnels.sqlite"), ("sqlite:/a b/c", "/a b/c"), ("sqlite:./x", "./x")])
    func `a SQLite store is a path`(text: String, path: String) throws {
        #expect(try StoreURL(text) == .sqlite(path: path))
        #expect(try StoreURL(text).description == text)
    }

    @Test(arguments: [
        "", "x", "sqlite:", "sqlite://x", "sqlite:///x", "sqlite::memory:", "mysql://h", "postgres://", "postgres:x",
    ])
    func `anything else is refused`(text: String) {
        #expect(throws: StoreURLError.self) { try StoreURL(text) }
    }

    @Test(arguments: [
        ("postgres://h/db", "postgres://h/db"),
        ("postgresql://u:secret@h:5432/db", "postgresql://u:***@h:5432/db"),
        ("postgres://u@h/db", "postgres://u@h/db"),
        ("postgres:///db?host=/run&password=secret", "postgres:///db"),
        ("postgres://u:secret?x@h/db", "postgres://***"),
        ("postgres://u:sec/ret@h/db", "postgres://***"),
        ("postgres://u:sec@ret@h/db", "postgres://***"),
        ("postgres://h/db?password=sec@ret", "postgres://***"),
    ])
    func `a description never has a password`(text: String, shown: String) throws {
        let url = try StoreURL(text)
        #expect(url == .postgres(url: text))
        #expect(url.description == shown)
        #expect("\(url)" == shown)
    }
}
