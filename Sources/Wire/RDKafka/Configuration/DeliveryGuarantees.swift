import CRDKafka

/// What a producer promises about its records, as librdkafka has understood the configuration: aliases, defaults and
/// spellings resolved.
public struct DeliveryGuarantees: Sendable, Hashable {
    /// `enable.idempotence`: whether a retry of librdkafka's neither repeats a record nor changes the order within a
    /// partition.
    public let isIdempotent: Bool
    /// `acks`: how many replicas have a record before it counts as delivered; −1 stands for all that are in sync.
    public let acks: Int
    /// `partitioner`: what makes a partition of a key.
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
