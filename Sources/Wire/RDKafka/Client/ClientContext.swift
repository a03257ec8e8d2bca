import CRDKafka
import Logging
import Synchronization

/// The state that librdkafka's callbacks of one client use: they get only a pointer to it.
///
/// Unchecked because of its subclass ``ConsumerContext``. All properties of this class are constant or behind a lock.
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

    /// The context of a client, for use inside a callback.
    static func of(_ opaque: UnsafeMutableRawPointer?) -> ClientContext? {
        // The handle keeps the context alive as long as librdkafka can call back.
        opaque.map { Unmanaged<ClientContext>.fromOpaque($0).takeUnretainedValue() }
    }

    /// Logs a line of librdkafka, and keeps the last warning or error to explain error codes that follow it.
    func log(level: Int32, facility: String, line: String) {
        if level <= 4 {
            lastProblem.withLock { $0 = line }
        }
        // Consumers and producers share one configuration, and librdkafka warns each about the properties of the other.
        let level = facility == "CONFWARN" ? .debug : Logger.Level(syslog: level)
        logger.log(level: level, "\(line)", metadata: ["facility": "\(facility)"])
    }

    /// An error with the brokers' addresses and the last problem, if it is about reaching the brokers.
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
            text += "; last problem: \(problem)"
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

    /// The error that made the client unusable, if there is one.
    func fatalError(of client: OpaquePointer) -> KafkaError? {
        var explanation = [CChar](repeating: 0, count: 512)
        let code = rd_kafka_fatal_error(client, &explanation, explanation.count)
        guard code != RD_KAFKA_RESP_ERR_NO_ERROR else { return nil }
        return error(code, message: text(explanation), isFatal: true)
    }

    /// The error for the arguments of an error callback.
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
    /// The level for a syslog severity, which librdkafka uses.
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
