#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// What the text of a setting may be: the same for a command's flag, an environment variable and a key of a file.
///
/// ```swift
/// let address = try SettingText.listenAddress.value("127.0.0.1:8080")
/// ```
package struct SettingText<Value>: Sendable {
    private let expectation: String
    private let read: @Sendable (String) -> Value?

    /// The error for a text that is not allowed.
    package struct Unexpected: Error, Sendable, Hashable, CustomStringConvertible {
        /// What was expected: `expected HOST:PORT, such as 127.0.0.1:8080`.
        package let description: String
    }

    /// Reads the text of a setting.
    ///
    /// - Throws: ``Unexpected``, which does not repeat the text.
    package func value(_ text: String) throws(Unexpected) -> Value {
        guard let value = read(text) else { throw Unexpected(description: "expected \(expectation)") }
        return value
    }
}

// Computed properties, because a generic type has no stored static ones.
extension SettingText<String> {
    /// A list of brokers. librdkafka takes an empty one, and then waits for a broker that never comes.
    package static var brokers: SettingText {
        SettingText(expectation: "one or more brokers as HOST:PORT, separated by commas") { list in
            guard list.contains(where: { $0 != "," && !$0.isWhitespace }) else { return nil }
            return list.split(separator: ",").allSatisfy(hasValidPort) ? list : nil
        }
    }

    /// Whether the port of a broker is a number from 1 to 65535, if it has a port. librdkafka would take the digits before a
    /// letter, and the lower 16 bits of a greater number.
    private static func hasValidPort(_ broker: Substring) -> Bool {
        var address = Substring(broker.filter { !$0.isWhitespace })
        if let scheme = address.firstRange(of: "://") { address = address[scheme.upperBound...] }
        // An IPv6 address has colons of its own. Before a port it is in brackets.
        if let bracket = address.lastIndex(of: "]") {
            address = address[bracket...]
        } else if address.count(where: { $0 == ":" }) > 1 {
            return true
        }
        guard let colon = address.lastIndex(of: ":") else { return true }
        return Int(address[address.index(after: colon)...]).map((1...65_535).contains) ?? false
    }

    /// A name that Kafka allows for a topic.
    package static var topic: SettingText {
        SettingText(expectation: "up to 249 letters, digits, '.', '_' and '-'") { name in
            name.wholeMatch(of: /[A-Za-z0-9._-]{1,249}/) != nil && name != "." && name != ".." ? name : nil
        }
    }

    /// An IP address. A host name could stand for an address that the operator does not mean.
    package static var ipAddress: SettingText {
        SettingText(expectation: "an IP address, such as 127.0.0.1 or ::1") { text in
            var bytes = in6_addr()
            return inet_pton(AF_INET, text, &bytes) == 1 || inet_pton(AF_INET6, text, &bytes) == 1 ? text : nil
        }
    }
}

extension SettingText<ListenAddress> {
    /// An address to listen on.
    package static var listenAddress: SettingText {
        SettingText(expectation: "HOST:PORT, such as 127.0.0.1:8080 or [::1]:8080") { ListenAddress($0) }
    }
}
