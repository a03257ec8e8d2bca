import Testing

@testable import RDKafka

@Suite struct KafkaErrorTests {
    @Test func `a request to a broker that leaves the cluster is worth another one, an invalid one is not`() {
        // The code of librdkafka 2.11 and later, which earlier headers do not name.
        #expect(KafkaError(code: KafkaError.Code(rawValue: -137)).isRetriable)
        #expect(KafkaError(code: .transport).isRetriable)
        #expect(!KafkaError(code: .invalidArgument).isRetriable)
        #expect(!KafkaError(code: .transport, isFatal: true).isRetriable)
    }
}
