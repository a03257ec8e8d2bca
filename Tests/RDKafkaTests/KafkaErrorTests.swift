import Testing

@testable import RDKafka

@Suite struct KafkaErrorTests {
    @Test func `a request to a broker that leaves the cluster is worth another one, an invalid one is not`() {
        // The codes of librdkafka 2.11: the headers of earlier versions lack the first one.
        #expect(KafkaError(code: KafkaError.Code(rawValue: -137)).isRetriable)
        #expect(KafkaError(code: .transport).isRetriable)
        #expect(!KafkaError(code: .invalidArgument).isRetriable)
        #expect(!KafkaError(code: .transport, isFatal: true).isRetriable)
    }
}
