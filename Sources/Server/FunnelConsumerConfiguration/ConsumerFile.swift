import Foundation
import Funnels
public import YAMLNodes

/// Reads `config/consumer.yaml`.
public enum ConsumerFile {
    /// Where the file is looked for unless a command is told another place.
    public static let standardPath = "config/consumer.yaml"

    /// Reads the file.
    ///
    /// - Parameter path: the file, which has to be there; `nil` for ``standardPath``, which may be missing.
    /// - Throws: `ConfigurationError` with the file and the line of the first mistake.
    public static func read(path: String?) throws(ConfigurationError) -> ConsumerLayer {
        if path == nil, !FileManager.default.fileExists(atPath: standardPath) { return ConsumerLayer() }
        let remedy = "give the configuration with --config, or leave it out"
        return try layer(YAMLDocument.read(path: path ?? standardPath, remedy: remedy))
    }

    /// Reads the bytes of a file.
    ///
    /// - Parameters:
    ///   - bytes: what the file holds, UTF-8.
    ///   - file: the file's name, for errors.
    /// - Throws: `ConfigurationError`.
    public static func parse(_ bytes: [UInt8], file: String) throws(ConfigurationError) -> ConsumerLayer {
        try layer(YAMLDocument.parse(bytes, file: file))
    }

    private static func layer(_ root: YAMLNode) throws(ConfigurationError) -> ConsumerLayer {
        let keys = try root.mapping("the consumer's configuration")
        try keys.allow(only: [
            "bootstrap_servers", "topic", "dead_letter_topic", "group_id", "store", "funnels", "allowed_lateness",
            "shutdown_timeout", "state_cache_mib", "metrics_port", "metrics_host", "kafka",
        ])
        func text(_ key: String) throws(ConfigurationError) -> String? {
            guard let node = keys[key] else { return nil }
            return try node.text(key)
        }
        var layer = ConsumerLayer(
            bootstrapServers: try text("bootstrap_servers"),
            topic: try text("topic"),
            deadLetterTopic: try text("dead_letter_topic"),
            groupID: try text("group_id"),
            funnels: try text("funnels"),
            metricsHost: try text("metrics_host")
        )
        if let node = keys["store"] {
            let url = try node.text("store")
            do {
                layer.store = try StoreURL(url)
            } catch {
                throw node.error("store: \(error)")
            }
        }
        if let node = keys["allowed_lateness"] { layer.allowedLateness = try lateness(node) }
        if let node = keys["shutdown_timeout"] {
            layer.shutdownTimeout = .milliseconds(try node.duration("shutdown_timeout"))
        }
        if let node = keys["state_cache_mib"] { layer.stateCacheMebibytes = try cacheSize(node) }
        if let node = keys["metrics_port"] { layer.metricsPort = try port(node) }
        if let node = keys["kafka"] { try readProperties(node, into: &layer) }
        return layer
    }

    // The bound of a window keeps the arithmetic on times from overflowing here as well.
    private static func lateness(_ node: YAMLNode) throws(ConfigurationError) -> Int64 {
        let milliseconds = try node.duration("allowed_lateness")
        guard milliseconds <= Funnel.maximumWindow else {
            throw node.error("allowed_lateness: expected at most \(Funnel.maximumWindow / 86_400_000)d")
        }
        return milliseconds
    }

    private static func cacheSize(_ node: YAMLNode) throws(ConfigurationError) -> Int {
        guard case .number(let number) = node.content, let size = Int(exactly: number),
            ConsumerSettings.stateCacheRange.contains(size)
        else {
            let expected = ConsumerSettings.stateCacheExpectation
            throw node.error("state_cache_mib: expected \(expected), found \(node.content.description)")
        }
        return size
    }

    private static func port(_ node: YAMLNode) throws(ConfigurationError) -> UInt16 {
        guard case .number(let number) = node.content, let port = UInt16(exactly: number) else {
            throw node.error("metrics_port: expected a TCP port, 0 for off, found \(node.content.description)")
        }
        return port
    }

    // No value is shown: some are passwords.
    private static func readProperties(
        _ node: YAMLNode,
        into layer: inout ConsumerLayer
    ) throws(ConfigurationError) {
        for entry in try node.mapping("kafka").entries {
            let content = entry.value.content
            let what = "kafka, '\(entry.key)'"
            let value: String
            switch content {
            // librdkafka's properties are texts: `0123` and `True` reach it as they are written.
            case .string, .bool, .number: value = entry.value.scalarText ?? ""
            default:
                throw entry.value.error(
                    "\(what): expected a text, a number or a truth value, found \(content.description)"
                )
            }
            switch entry.key {
            case "bootstrap.servers", "metadata.broker.list":
                guard layer.bootstrapServers == nil else { throw twice(entry, "bootstrap_servers") }
                layer.bootstrapServers = value
            case "group.id":
                guard layer.groupID == nil else { throw twice(entry, "group_id") }
                layer.groupID = value
            default: layer.kafka[entry.key] = value
            }
        }
    }

    private static func twice(_ entry: YAMLMapping.Entry, _ setting: String) -> ConfigurationError {
        entry.keyNode.error("kafka: '\(entry.key)' and \(setting) are both given: expected one of them")
    }
}
