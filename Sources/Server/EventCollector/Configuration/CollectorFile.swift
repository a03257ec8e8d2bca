import FunnelServiceSupport
public import YAMLNodes

/// Reads `config/collector.yaml`.
public enum CollectorFile {
    /// The path of the file if the caller names no other.
    public static let standardPath = "config/collector.yaml"

    /// Reads the file.
    ///
    /// - Parameters:
    ///   - path: the path of the file; `nil` for ``standardPath``.
    ///   - remedy: what to do if there is no such file, as the end of the error's sentence.
    /// - Throws: `ConfigurationError` with the file and the line of the first mistake.
    public static func read(
        path: String?,
        remedy: String = "a collector needs write keys: copy config/collector.example.yaml"
    ) throws(ConfigurationError) -> CollectorSettings {
        try settings(YAMLDocument.read(path: path ?? standardPath, remedy: remedy))
    }

    /// Reads the bytes of a file.
    ///
    /// - Throws: `ConfigurationError`.
    package static func parse(_ bytes: [UInt8], file: String) throws(ConfigurationError) -> CollectorSettings {
        try settings(YAMLDocument.parse(bytes, file: file))
    }

    private static func settings(_ root: YAMLNode) throws(ConfigurationError) -> CollectorSettings {
        let keys = try root.mapping("the collector's configuration")
        try keys.allow(only: [
            "listen", "bootstrap_servers", "topic", "dead_letter_topic", "keys", "limits", "timeouts", "tls",
            "cors_origins", "webhooks", "kafka",
        ])
        var settings = CollectorSettings()
        settings.address = try keys.value("listen", .listenAddress) ?? settings.address
        settings.bootstrapServers = try keys.value("bootstrap_servers", .brokers) ?? settings.bootstrapServers
        settings.topic = try keys.value("topic", .topic) ?? settings.topic
        settings.deadLetterTopic = try keys.value("dead_letter_topic", .topic) ?? settings.deadLetterTopic
        settings.keys = try WriteKeyEntry.keys(keys.required("keys"))
        if let node = keys.section("limits") { settings.limits = try limits(node) }
        if let node = keys.section("timeouts") { settings.timeouts = try timeouts(node) }
        if let node = keys["tls"] { settings.tls = try tls(node) }
        if let node = keys["cors_origins"] { settings.origins = try origins(node) }
        if let node = keys.section("webhooks") { settings.webhooks = try WebhookSection.settings(node) }
        if let node = keys.section("kafka") { settings.kafka = try properties(node) }
        return settings
    }

    private static func limits(_ node: YAMLNode) throws(ConfigurationError) -> CollectorLimits {
        let keys = try node.mapping("limits")
        try keys.allow(only: [
            "body_bytes", "decompressed_bytes", "batch_events", "events_per_second", "failures_per_second",
            "connections",
            "pending_bytes", "pending_bytes_per_key",
        ])
        var limits = CollectorLimits()
        // A body is in one buffer, whose size has 31 bits.
        try set(&limits.bodySize, from: keys, "body_bytes", upTo: 1 << 31 - 1)
        try set(&limits.decompressedSize, from: keys, "decompressed_bytes", upTo: 1 << 31 - 1)
        try set(&limits.batchCount, from: keys, "batch_events")
        try set(&limits.eventsPerSecond, from: keys, "events_per_second")
        try set(&limits.failuresPerSecond, from: keys, "failures_per_second")
        try set(&limits.connections, from: keys, "connections")
        try set(&limits.pendingSize, from: keys, "pending_bytes")
        let largest = RequestSize.largest(limits)
        limits.pendingSizePerKey = max(largest, limits.pendingSize / 2)
        try set(&limits.pendingSizePerKey, from: keys, "pending_bytes_per_key")
        for (name, size) in [
            ("pending_bytes", limits.pendingSize), ("pending_bytes_per_key", limits.pendingSizePerKey),
        ] where size < largest {
            throw node.error(
                "limits: \(name) is \(size): expected at least \(largest), the memory that one request may take with these "
                    + "limits"
            )
        }
        guard limits.pendingSizePerKey <= limits.pendingSize else {
            throw node.error(
                "limits: pending_bytes_per_key is \(limits.pendingSizePerKey): expected at most pending_bytes, "
                    + "\(limits.pendingSize)"
            )
        }
        return limits
    }

    private static func set(
        _ limit: inout Int,
        from keys: YAMLMapping,
        _ name: String,
        upTo greatest: Int = 1 << 40
    ) throws(ConfigurationError) {
        guard let node = keys[name] else { return }
        guard let value = node.wholeNumber, (1...greatest).contains(value) else {
            let expected = "a whole number from 1 to \(greatest)"
            throw node.error("limits, \(name): expected \(expected), found \(node.found)")
        }
        limit = value
    }

    private static func timeouts(_ node: YAMLNode) throws(ConfigurationError) -> CollectorTimeouts {
        let keys = try node.mapping("timeouts")
        try keys.allow(only: ["request", "idle", "publish"])
        func duration(_ name: String) throws(ConfigurationError) -> Duration? {
            guard let node = keys[name] else { return nil }
            let duration = try node.duration("timeouts, \(name)")
            // The greatest number of milliseconds that librdkafka takes, and more than its `linger.ms`.
            guard (.milliseconds(10)...(.milliseconds(Int32.max))).contains(duration) else {
                throw node.error("timeouts, \(name): expected a duration from 10ms to 24d, found \(node.found)")
            }
            return duration
        }
        var timeouts = CollectorTimeouts()
        timeouts.request = try duration("request") ?? timeouts.request
        timeouts.idle = try duration("idle") ?? timeouts.idle
        timeouts.publish = try duration("publish") ?? timeouts.publish
        return timeouts
    }

    private static func tls(_ node: YAMLNode) throws(ConfigurationError) -> CollectorTLS {
        let keys = try node.mapping("tls")
        try keys.allow(only: ["certificate", "key"])
        return CollectorTLS(
            certificate: try keys.required("certificate").text("tls, certificate"),
            key: try keys.required("key").text("tls, key")
        )
    }

    private static func origins(_ node: YAMLNode) throws(ConfigurationError) -> [String] {
        var origins: [String] = []
        for item in try node.list("cors_origins", of: "origins") {
            let origin = try item.text("cors_origins")
            guard origin.wholeMatch(of: /https?:\/\/[^\/\s*]+/) != nil else {
                let expected = "expected an origin, such as https://shop.example.com"
                throw item.error("cors_origins: \(expected), found '\(origin)'")
            }
            origins.append(origin)
        }
        return origins
    }

    private static func properties(_ node: YAMLNode) throws(ConfigurationError) -> PropertySection {
        try PropertySection(node, "kafka") { key, property, _ throws(ConfigurationError) in
            guard let setting = KafkaProperties.reserved[property] else { return false }
            throw key.error("kafka: '\(property)' is set by \(setting): leave it out")
        }
    }
}
