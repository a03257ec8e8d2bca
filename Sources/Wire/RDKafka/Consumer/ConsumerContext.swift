import CRDKafka
import Logging

/// The state that a consumer's callbacks use.
///
/// Unchecked because of its inbox, which the callbacks use only on the owner's thread; see ``ConsumerInbox``.
final class ConsumerContext: ClientContext, @unchecked Sendable {
    let inbox: ConsumerInbox

    init(
        configuration: KafkaConfiguration,
        logger: Logger,
        onStatistics: (@Sendable (String) -> Void)?,
        inbox: ConsumerInbox
    ) {
        self.inbox = inbox
        super.init(configuration: configuration, logger: logger, onStatistics: onStatistics)
    }

    /// Sets the callbacks that add events to the inbox.
    static func setCallbacks(_ settings: OpaquePointer) {
        rd_kafka_conf_set_rebalance_cb(settings) { client, code, partitions, opaque in
            guard let client, let context = ConsumerContext.consumer(opaque) else { return }
            context.inbox.rebalance(client, code, partitions, context: context)
        }
        rd_kafka_conf_set_error_cb(settings) { client, code, reason, opaque in
            guard let client, let context = ConsumerContext.consumer(opaque) else { return }
            let error = context.error(
                of: client,
                rd_kafka_resp_err_t(code),
                message: reason.map { String(cString: $0) }
            )
            context.inbox.events.append(error.isFatal ? .fatal(error) : .error(error))
            rd_kafka_yield(client)
        }
        rd_kafka_conf_set_offset_commit_cb(settings) { _, code, partitions, opaque in
            guard let context = ConsumerContext.consumer(opaque), code != RD_KAFKA_RESP_ERR__NO_OFFSET else { return }
            let failed = TopicPartitionList.elements(of: partitions).first { $0.error != RD_KAFKA_RESP_ERR_NO_ERROR }
            let code = failed?.error ?? code
            guard code != RD_KAFKA_RESP_ERR_NO_ERROR else { return }
            let error = context.error(
                code,
                message: "Cannot commit offsets: \(KafkaError.Code(code).explanation)",
                topic: failed?.partition.topic,
                partition: failed?.partition.partition
            )
            context.inbox.events.append(.commitFailed(error))
        }
    }

    private static func consumer(_ opaque: UnsafeMutableRawPointer?) -> ConsumerContext? {
        ClientContext.of(opaque) as? ConsumerContext
    }
}
