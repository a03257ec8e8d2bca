import CRDKafka
import Foundation
import Logging

/// Owns one `rd_kafka_t` and destroys it when the last reference is released.
///
/// Unchecked, because the pointer never changes and librdkafka's functions on it may be called from any thread.
final class ClientHandle: @unchecked Sendable {
    let pointer: OpaquePointer
    let context: ClientContext
    /// librdkafka passes this pointer to the callbacks; see ``ClientContext/of(_:)``.
    private let retainedContext: Unmanaged<ClientContext>

    /// Creates a client.
    ///
    /// - Parameter configure: sets the callbacks that this type of client needs.
    init(
        _ type: rd_kafka_type_t,
        configuration: KafkaConfiguration,
        context: ClientContext,
        configure: (OpaquePointer) -> Void = { _ in }
    ) throws(KafkaConfigurationError) {
        let settings = try configuration.makeHandle()
        let retained = Unmanaged.passRetained(context)
        rd_kafka_conf_set_opaque(settings, retained.toOpaque())
        rd_kafka_conf_set_log_cb(settings) { client, level, facility, line in
            guard let client, let line else { return }
            ClientContext.of(rd_kafka_opaque(client))?.log(
                level: level,
                facility: facility.map { String(cString: $0) } ?? "",
                line: String(cString: line)
            )
        }
        if context.onStatistics != nil {
            rd_kafka_conf_set_stats_cb(settings) { _, json, count, opaque in
                guard let json, let report = ClientContext.of(opaque)?.onStatistics else { return 0 }
                report(String(decoding: UnsafeRawBufferPointer(start: json, count: count), as: UTF8.self))
                return 0
            }
        }
        configure(settings)

        var explanation = [CChar](repeating: 0, count: 512)
        guard let pointer = rd_kafka_new(type, settings, &explanation, explanation.count) else {
            // librdkafka takes ownership of the settings only if it creates a client.
            rd_kafka_conf_destroy(settings)
            retained.release()
            throw KafkaConfigurationError(code: .unusable, property: nil, explanation: text(explanation))
        }
        self.pointer = pointer
        self.context = context
        self.retainedContext = retained
    }

    /// How long `deinit` waits for librdkafka.
    private static let destroyTimeout: Double = 5

    deinit {
        // librdkafka 2.0 may wait forever for its own threads, if a topic was deleted that the client has read. Then the
        // client's memory and threads stay until the process ends.
        let isDestroyed = DispatchSemaphore(value: 0)
        // Unsafe, because nothing else uses the pointer any more.
        nonisolated(unsafe) let pointer = pointer
        // Released only when no callback can come.
        let context = retainedContext
        let thread = Thread {
            rd_kafka_destroy_flags(pointer, RD_KAFKA_DESTROY_F_NO_CONSUMER_CLOSE)
            context.release()
            isDestroyed.signal()
        }
        thread.name = "kafka-destroy"
        thread.start()
        if isDestroyed.wait(timeout: .now() + Self.destroyTimeout) == .timedOut {
            self.context.logger.info("librdkafka does not end the client; it stays until the process ends")
        }
    }

    /// The error that made the client unusable, if there is one.
    var fatalError: KafkaError? { context.fatalError(of: pointer) }
}

extension KafkaConfiguration {
    /// Checks that librdkafka has each property and takes its value. Whether they fit together only a client knows.
    public func check() throws(KafkaConfigurationError) {
        rd_kafka_conf_destroy(try makeHandle())
    }

    /// A settings object of librdkafka, which the caller owns.
    func makeHandle() throws(KafkaConfigurationError) -> OpaquePointer {
        guard let settings = rd_kafka_conf_new() else {
            throw KafkaConfigurationError(code: .unusable, property: nil, explanation: "out of memory")
        }
        for (property, value) in properties.sorted(by: { $0.key < $1.key }) {
            var explanation = [CChar](repeating: 0, count: 512)
            let result = rd_kafka_conf_set(settings, property, value, &explanation, explanation.count)
            guard result != RD_KAFKA_CONF_OK else { continue }
            rd_kafka_conf_destroy(settings)
            if result == RD_KAFKA_CONF_UNKNOWN {
                throw KafkaConfigurationError(
                    code: .unknownProperty,
                    property: property,
                    explanation: "does not exist in this version of librdkafka; see its CONFIGURATION.md for the names"
                )
            }
            // librdkafka's explanation contains the value.
            let safe = Self.isSensitive(property) ? "not shown, because it is a credential" : text(explanation)
            throw KafkaConfigurationError(code: .invalidValue, property: property, explanation: safe)
        }
        return settings
    }

    /// Checks that no property is set that the client sets itself. `reserved` has the reason by property.
    func refuse(_ reserved: [String: String]) throws(KafkaConfigurationError) {
        for (property, reason) in reserved.sorted(by: { $0.key < $1.key }) where properties[property] != nil {
            throw KafkaConfigurationError(code: .reservedProperty, property: property, explanation: reason)
        }
    }
}

/// The text in a buffer that a C function filled, up to the terminating zero.
func text(_ buffer: [CChar]) -> String {
    String(decoding: buffer.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
}

extension Duration {
    /// The duration in milliseconds for a C function: at least 0, at most a day, and rounded up so that a short wait
    /// does not become a busy loop.
    var milliseconds: Int32 {
        let day = Duration.seconds(86_400)
        let (seconds, attoseconds) = Swift.min(Swift.max(self, .zero), day).components
        return Int32(seconds * 1000 + (attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000)
    }
}
