import CRDKafka
import Logging
import Synchronization

/// What librdkafka's callbacks of one client reach: they get nothing but a pointer to it.
///
/// Unchecked for its subclass ``ConsumerContext``; all that is here is constant or behind a lock.
class ClientContext: @unchecked Sendable {
    let logger: Logger
    let brokers: [String]
    let onStatistics: (@Sendable (String) -> Void)?
    private let lastProblem = Mutex<String?>(nil)

    init(configuration: KafkaConfiguration, logger: Logger, onStatistics: (@Sendable (String) -> Void)?) {
        self.logger = logger
        self.brokers = configuration.bootstrapServers
        self.onStatistics = onStatistics
    }

    /// The context of a client, from within one of its callbacks.
    static func of(_ opaque: UnsafeMutableRawPointer?) -> ClientContext? {
        // The handle keeps its context for as long as librdkafka can call back.
        opaque.map { Unmanaged<ClientContext>.fromOpaque($0).takeUnretainedValue() }
    }

    /// Logs one of librdkafka's lines, and keeps the last complaint to explain the bare codes that follow it.
    func log(level: Int32, facility: String, line: String) {
        if level <= 4 {
            lastProblem.withLock { $0 = line }
        }
        // One configuration serves consumers and producers, and librdkafka warns either of the other's properties.
        let level = facility == "CONFWARN" ? .debug : Logger.Level(syslog: level)
        logger.log(level: level, "\(line)", metadata: ["facility": "\(facility)"])
    }

    /// An error with what is known about the brokers beside it.
    func error(
        _ code: rd_kafka_resp_err_t,
        message: String? = nil,
        topic: String? = nil,
        partition: Int32? = nil,
        isFatal: Bool = false
    ) -> KafkaError {
        let code = KafkaError.Code(code)
        guard code.isAboutReachingBrokers else {
            return KafkaError(code: code, message: message, topic: topic, partition: partition, isFatal: isFatal)
        }
        var text = message ?? code.explanation
        if let problem = lastProblem.withLock({ $0 }), !text.contains(problem) {
            text += "; last heard: \(problem)"
        }
        return KafkaError(
            code: code,
            message: text,
            brokers: brokers,
            topic: topic,
            partition: partition,
            isFatal: isFatal
        )
    }

    /// The error that made a client useless, if one did.
    func fatalError(of client: OpaquePointer) -> KafkaError? {
        var explanation = [CChar](repeating: 0, count: 512)
        let code = rd_kafka_fatal_error(client, &explanation, explanation.count)
        guard code != RD_KAFKA_RESP_ERR_NO_ERROR else { return nil }
        return error(code, message: text(explanation), isFatal: true)
    }

    /// The error for what an error callback was told.
    func error(of client: OpaquePointer, _ code: rd_kafka_resp_err_t, message: String?) -> KafkaError {
        guard code == RD_KAFKA_RESP_ERR__FATAL else { return error(code, message: message) }
        return fatalError(of: client) ?? error(code, message: message, isFatal: true)
    }
}

extension KafkaError.Code {
    var isAboutReachingBrokers: Bool {
        [
            .transport, .allBrokersDown, .timedOut, .messageTimedOut, .purgedFromQueue, .purgedInFlight,
            Self(RD_KAFKA_RESP_ERR__RESOLVE), Self(RD_KAFKA_RESP_ERR__AUTHENTICATION), Self(RD_KAFKA_RESP_ERR__SSL),
            Self(RD_KAFKA_RESP_ERR__WAIT_COORD),
        ].contains(self)
    }
}

extension Logger.Level {
    /// The level of a syslog severity, as librdkafka gives it.
    init(syslog severity: Int32) {
        switch severity {
        case ...2: self = .critical
        case 3: self = .error
        case 4: self = .warning
        case 5: self = .notice
        case 6: self = .info
        default: self = .debug
        }
    }
}
