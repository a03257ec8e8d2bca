import CRDKafka

/// The delivery settings of a producer as librdkafka resolved them: aliases, defaults and spellings are replaced.
public struct DeliveryGuarantees: Sendable, Hashable {
    /// `enable.idempotence`: whether librdkafka's retries neither repeat a record nor change the order within a
    /// partition.
    public let isIdempotent: Bool
    /// `acks`: the number of replicas that must have a record before it counts as delivered; −1 for all in-sync
    /// replicas.
    public let acks: Int
    /// `partitioner`: the function that maps a key to a partition.
    public let partitioner: String

    init(of handle: ClientHandle) {
        func value(_ property: String) -> String {
            var value = [CChar](repeating: 0, count: 64)
            var size = value.count
            rd_kafka_conf_get(rd_kafka_conf(handle.pointer), property, &value, &size)
            return text(value)
        }
        isIdempotent = value("enable.idempotence") == "true"
        acks = Int(value("acks")) ?? 0
        partitioner = value("partitioner")
    }
}
