import FlowEvents
import YAMLNodes

/// The list of write keys in a configuration file.
enum WriteKeyEntry {
    /// Reads the list. No error contains a secret.
    static func keys(_ node: YAMLNode) throws(ConfigurationError) -> [WriteKey] {
        var keys: [WriteKey] = []
        for item in try node.list("keys", of: "write keys") {
            let key = try key(item)
            guard !keys.contains(where: { $0.secret == key.secret }) else {
                throw item.error(
                    "keys: the secret of '\(key.name)' is used twice: expected a different secret for each key"
                )
            }
            keys.append(key)
        }
        return keys
    }

    private static func key(_ node: YAMLNode) throws(ConfigurationError) -> WriteKey {
        let entry = try node.mapping("keys")
        try entry.allow(only: ["name", "secret", "sources"])
        let name = try entry.required("name").text("keys, name")
        guard name.wholeMatch(of: /[A-Za-z0-9._-]{1,64}/) != nil else {
            throw try entry.required("name").error("keys, name: expected up to 64 letters, digits, '.', '_' and '-'")
        }
        let secret = try entry.required("secret")
        let text = try secret.text("keys, secret of '\(name)'")
        guard text.utf8.count >= WriteKey.minimumSecretSize, text.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
            throw secret.error(
                "keys, secret of '\(name)': expected \(WriteKey.minimumSecretSize) or more ASCII characters without "
                    + "spaces: 'openssl rand -hex 32' makes one"
            )
        }
        guard !isExample(text) else {
            throw secret.error(
                "keys, secret of '\(name)': expected a secret of your own, found an example: 'openssl rand -hex 32' makes "
                    + "one"
            )
        }
        let sources = try sources(entry.required("sources"), of: name)
        return WriteKey(name: name, secret: text, sources: sources)
    }

    /// Whether a secret is an example's, which anybody can read, or as easy to guess.
    static func isExample(_ secret: String) -> Bool {
        secret.lowercased().contains("change-me") || Set(secret.utf8).count < 5
    }

    private static func sources(_ node: YAMLNode, of name: String) throws(ConfigurationError) -> [String] {
        var sources: [String] = []
        for item in try node.list("keys, sources of '\(name)'", of: "sources") {
            let source = try item.text("keys, sources of '\(name)'")
            guard source.utf8.count <= EventRules.maximumTextSize else {
                throw item.error(
                    "keys, sources of '\(name)': expected at most \(EventRules.maximumTextSize) bytes, as an event's source has"
                )
            }
            // An event's `source` is compared byte for byte, so a space would allow nothing.
            guard !source.contains(where: \.isWhitespace) else {
                throw item.error("keys, sources of '\(name)': expected a URI reference, found '\(source)' with a space")
            }
            guard !sources.contains(source) else {
                throw item.error("keys, sources of '\(name)': '\(source)' is there twice: remove one")
            }
            sources.append(source)
        }
        return sources
    }
}
