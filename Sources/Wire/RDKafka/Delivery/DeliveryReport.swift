/// What became of the records of one batch.
enum DeliveryReport: Sendable {
    /// There were none.
    case nothing
    /// The batch knows where its records stand; those that have failed stand nowhere, for these reasons by their number.
    case answered(InFlightBatch, failures: [Int: KafkaError])
    /// All of so many records have failed for one reason.
    case refused(Int, KafkaError)

    var failures: [Int: KafkaError] {
        switch self {
        case .nothing: [:]
        case .answered(_, let failures): failures
        case .refused(let count, let error): Dictionary(uniqueKeysWithValues: (0..<count).map { ($0, error) })
        }
    }

    var results: [Result<RecordMetadata, KafkaError>] {
        switch self {
        case .nothing:
            []
        case .answered(let batch, let failures):
            (0..<batch.count).map { index in failures[index].map { .failure($0) } ?? .success(batch.place(index)) }
        case .refused(let count, let error):
            Array(repeating: .failure(error), count: count)
        }
    }
}
