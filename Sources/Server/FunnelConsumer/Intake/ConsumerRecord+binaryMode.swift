package import EventReader
package import RDKafka

extension ConsumerRecord {
    /// The attributes of a CloudEvent in binary mode: the headers that begin with `ce_`
    /// ([Kafka Protocol Binding](https://github.com/cloudevents/spec/blob/v1.0.2/cloudevents/bindings/kafka-protocol-binding.md),
    /// 3.2.4.2).
    package var binaryModeAttributes: [ForeignEvent.Attribute] {
        headers().compactMap { header in
            guard header.name.hasPrefix("ce_"), let value = header.value else { return nil }
            return ForeignEvent.Attribute(
                name: String(header.name.dropFirst("ce_".count)),
                value: String(decoding: value, as: UTF8.self)
            )
        }
    }
}
