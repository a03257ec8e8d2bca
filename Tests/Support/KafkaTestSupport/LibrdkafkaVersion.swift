import CRDKafka

/// The version of librdkafka that the tests run with: 0x0206_0000 is 2.6.0, as
/// [rd_kafka_version](https://docs.confluent.io/platform/current/clients/librdkafka/html/rdkafka_8h.html) gives it.
package let librdkafkaVersion = rd_kafka_version() & ~0xFF
