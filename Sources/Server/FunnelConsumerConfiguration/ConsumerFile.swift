import FunnelServiceSupport
import Foundation
import Funnels
package import YAMLNodes

/// Reads `config/consumer.yaml`.
package enum ConsumerFile {
    /// The default path of the file, relative to the working directory.
    package static let standardPath = "config/consumer.yaml"

    /// Reads the file.
    ///
    /// - Parameters:
    ///   - path: the path of the file, which must exist; `nil` for ``standardPath``, which may be missing.
    ///   - remedy: what to do if the file cannot be read, as the end of a sentence.
    /// - Throws: `ConfigurationError` with the file and the line of the first mistake.
    package static func read(
        path: String?,
        remedy: String = "check the path"
    ) throws(ConfigurationError) -> ConsumerLayer {
        if path == nil, !FileManager.default.fileExists(atPath: standardPath) { return ConsumerLayer() }
        return try layer(YAMLDocument.read(path: path ?? standardPath, remedy: remedy, mayBeEmpty: true))
    }

    /// Reads the contents of a file.
    ///
    /// - Parameters:
    ///   - bytes: the contents, in UTF-8.
    ///   - file: the file's name, for errors.
    /// - Throws: `ConfigurationError`.
    package static func parse(_ bytes: [UInt8], file: String) throws(ConfigurationError) -> ConsumerLayer {
        try layer(YAMLDocument.parse(bytes, file: file, mayBeEmpty: true))
    }

    private static func layer(_ root: YAMLNode) throws(ConfigurationError) -> ConsumerLayer {
        let keys = try root.mapping("the consumer's configuration")
        try keys.allow(only: [
            "bootstrap_servers", "topic", "dead_letter_topic", "group_id", "store", "stores", "funnels",
            "allowed_lateness",
            "shutdown_timeout", "state_cache_mib", "metrics_port", "metrics_host", "kafka",
        ])
        func text(_ key: String) throws(ConfigurationError) -> String? {
            guard let node = keys[key] else { return nil }
            return try node.text(key)
        }
        var layer = ConsumerLayer(
            bootstrapServers: try keys.value("bootstrap_servers", .brokers),
            topic: try keys.value("topic", .topic),
            deadLetterTopic: try keys.value("dead_letter_topic", .topic),
            groupID: try text("group_id"),
            funnels: try text("funnels"),
            metricsHost: try keys.value("metrics_host", .ipAddress)
        )
        if let node = keys["store"] { layer.store = try storeURL(node, "store") }
        if let node = keys["stores"] { layer.stores = try stores(node) }
        if let node = keys["allowed_lateness"] { layer.allowedLateness = try lateness(node) }
        if let node = keys["shutdown_timeout"] {
            layer.shutdownTimeout = try node.duration("shutdown_timeout")
        }
        if let node = keys["state_cache_mib"] { layer.stateCacheMebibytes = try cacheSize(node) }
        if let node = keys["metrics_port"] { layer.metricsPort = try port(node) }
        if let node = keys.section("kafka") { try readProperties(node, into: &layer) }
        return layer
    }

    private static func storeURL(_ node: YAMLNode, _ key: String) throws(ConfigurationError) -> StoreURL {
        let url = try node.text(key)
        do {
            return try StoreURL(url)
        } catch {
            throw node.error("\(key): \(error)")
        }
    }

    private static func stores(_ node: YAMLNode) throws(ConfigurationError) -> [StoreURL] {
        var stores: [StoreURL] = []
        for element in try node.list("stores", of: "store URLs") {
            let url = try storeURL(element, "stores")
            guard !stores.contains(url) else {
                throw element.error("stores: \(url) stands here twice: each install would count twice")
            }
            stores.append(url)
        }
        return stores
    }

    // The limit of windows: with it, adding the lateness to a time cannot overflow.
    private static func lateness(_ node: YAMLNode) throws(ConfigurationError) -> Duration {
        let lateness = try node.duration("allowed_lateness")
        guard lateness <= .milliseconds(Funnel.maximumWindow) else {
            throw node.error("allowed_lateness: expected at most \(Funnel.maximumWindow / 86_400_000)d")
        }
        return lateness
    }

    private static func cacheSize(_ node: YAMLNode) throws(ConfigurationError) -> Int {
        guard let size = node.wholeNumber, ConsumerSettings.stateCacheRange.contains(size) else {
            let expected = ConsumerSettings.stateCacheExpectation
            throw node.error("state_cache_mib: expected \(expected), found \(node.found)")
        }
        return size
    }

    private static func port(_ node: YAMLNode) throws(ConfigurationError) -> UInt16 {
        guard let port = node.wholeNumber.flatMap(UInt16.init(exactly:)) else {
            throw node.error("metrics_port: expected a TCP port, 0 for off, found \(node.found)")
        }
        return port
    }

    private static func readProperties(
        _ node: YAMLNode,
        into layer: inout ConsumerLayer
    ) throws(ConfigurationError) {
        layer.kafka = try PropertySection(node, "kafka") { key, property, value throws(ConfigurationError) in
            switch property {
            case "bootstrap.servers", "metadata.broker.list":
                guard layer.bootstrapServers == nil else {
                    throw conflict(of: property, at: key, with: "bootstrap_servers")
                }
                layer.bootstrapServers = value
            case "group.id":
                guard layer.groupID == nil else { throw conflict(of: property, at: key, with: "group_id") }
                layer.groupID = value
            default: return false
            }
            return true
        }
    }

    private static func conflict(
        of property: String,
        at key: YAMLNode,
        with setting: String
    ) -> ConfigurationError {
        key.error("kafka: '\(property)' and \(setting) are both given: expected one of them")
    }
}
