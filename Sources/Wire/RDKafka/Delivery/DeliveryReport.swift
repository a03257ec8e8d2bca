/// The results of a batch.
enum DeliveryReport: Sendable {
    /// The batch was empty.
    case empty
    /// Every record has a result: the batch has the metadata of the delivered ones, and `failures` the errors of the
    /// others by their index.
    case settled(InFlightBatch, failures: [Int: KafkaError])
    /// All records, of this count, failed with the same error.
    case refused(count: Int, KafkaError)

    var failures: [Int: KafkaError] {
        switch self {
        case .empty: [:]
        case .settled(_, let failures): failures
        case .refused(let count, let error): Dictionary(uniqueKeysWithValues: (0..<count).map { ($0, error) })
        }
    }

    var results: [Result<RecordMetadata, KafkaError>] {
        switch self {
        case .empty:
            []
        case .settled(let batch, let failures):
            (0..<batch.count).map { index in failures[index].map { .failure($0) } ?? .success(batch.metadata(index)) }
        case .refused(let count, let error):
            Array(repeating: .failure(error), count: count)
        }
    }
}
