import FunnelServiceSupport
import Testing

struct SettingTextTests {
    @Test(arguments: [
        "a:1", "a:1,b:2", " a:1 , ", "a:65535", "SSL://[::1]:9092,12345678.example", "SSL://a", "[::1]", "::1",
    ])
    func `one broker is a list`(list: String) throws {
        #expect(try SettingText.brokers.value(list) == list)
    }

    @Test(arguments: [
        "", " ", ",", " , ", "a:65536", "a:1, b:99999 ", "a:9O92", "a:b", "a:", "a:99999999999999999999", "[::1]:x",
    ])
    func `a list without a broker, or with a port that there is not, is refused`(list: String) {
        #expect(throws: SettingText<String>.Unexpected.self) { try SettingText.brokers.value(list) }
    }

    @Test(arguments: ["app-events", "a", "a.b_c-D9", "...", String(repeating: "x", count: 249)])
    func `a name that Kafka allows is a topic`(name: String) throws {
        #expect(try SettingText.topic.value(name) == name)
    }

    @Test(arguments: ["", ".", "..", "a b", "a/b", "ä", String(repeating: "x", count: 250)])
    func `a name that Kafka refuses is no topic`(name: String) {
        let error = #expect(throws: SettingText<String>.Unexpected.self) { try SettingText.topic.value(name) }
        #expect(error?.description == "expected up to 249 letters, digits, '.', '_' and '-'")
    }

    @Test(arguments: ["127.0.0.1", "0.0.0.0", "::", "::1", "fe80::1"])
    func `an IP address is read`(text: String) throws {
        #expect(try SettingText.ipAddress.value(text) == text)
    }

    @Test(arguments: ["", "localhost", "127.1", "1.2.3.4.5", "256.0.0.1", "[::1]", "::1 ", "127.0.0.1:80"])
    func `a host name or another text is no IP address`(text: String) {
        #expect(throws: SettingText<String>.Unexpected.self) { try SettingText.ipAddress.value(text) }
    }

    @Test(arguments: ["127.0.0.1:8080", "[::1]:8080", "localhost:0"])
    func `an address to listen on is written as it is read`(text: String) throws {
        #expect(try SettingText.listenAddress.value(text).description == text)
    }

    @Test(arguments: ["", "8080", ":8080", "::1:80", "a:", "a:65536", "a:-1", "[]:1"])
    func `an address without a host or a port is refused`(text: String) {
        #expect(throws: SettingText<ListenAddress>.Unexpected.self) { try SettingText.listenAddress.value(text) }
    }
}
