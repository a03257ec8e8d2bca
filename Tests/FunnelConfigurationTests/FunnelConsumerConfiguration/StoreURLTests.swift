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

    @Test(arguments: [
        ("postgres://h/db?sslmod=require", "unknown parameter 'sslmod' of a postgres: URL: did you mean 'sslmode'?"),
        (
            "postgres://h/db?sslmode=require&foo=1",
            "unknown parameter 'foo' of a postgres: URL: it takes those of libpq"
        ),
        ("postgres://h/db?connectTimeout=3", "did you mean 'connect_timeout'?"),
        ("sqlite:funnels.sqlite?mode=ro", "sqlite: takes no parameters, found 'mode': give the path alone"),
    ])
    func `a parameter that the store does not have is named`(text: String, words: String) {
        do {
            _ = try StoreURL(text)
            Issue.record("\(text) was taken")
        } catch {
            #expect(error.description.contains(words), "\(error)")
        }
    }

    @Test func `parameters of libpq are taken, and a question mark in a file's name`() throws {
        for text in ["postgres://h/db?sslmode=verify-full&connect_timeout=5", "postgres:///db?host=/run&port=5433"] {
            #expect(try StoreURL(text) == .postgres(url: text))
        }
        #expect(try StoreURL("sqlite:what?.sqlite") == .sqlite(path: "what?.sqlite"))
    }
}
