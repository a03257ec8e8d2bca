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
        guard name.wholeMatch(of: /[A-Za-z0-9._-]+/) != nil else {
            throw try entry.required("name").error("keys, name: expected letters, digits, '.', '_' and '-'")
        }
        let secret = try entry.required("secret")
        let text = try secret.text("keys, secret of '\(name)'")
        guard text.utf8.count >= WriteKey.minimumSecretSize, text.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
            throw secret.error(
                "keys, secret of '\(name)': expected \(WriteKey.minimumSecretSize) or more ASCII characters without "
                    + "spaces: 'openssl rand -hex 32' makes one"
            )
        }
        var sources: [String] = []
        for source in try entry.required("sources").list("keys, sources of '\(name)'", of: "sources") {
            sources.append(try source.text("keys, sources of '\(name)'"))
        }
        return WriteKey(name: name, secret: text, sources: sources)
    }
}
