import Synchronization

/// Whether a consumer has opened its store and has an assignment, and what it waits for. The consumer's thread writes
/// it, any thread reads it.
final class ConsumerReadiness: Sendable {
    private let isOpen = Atomic(false)
    private let isAwaitingKafka = Atomic(false)
    private let kafkaError = Mutex<String?>(nil)
    private let isAssigned = Atomic(false)
    private let isAwaitingStore = Atomic(false)
    private let stalled = Mutex<[Int32]>([])

    /// Runs the wait for Kafka's first answer. Else the start waits for the store.
    func awaitingKafka<Value, Failure: Error>(_ wait: () throws(Failure) -> Value) throws(Failure) -> Value {
        isAwaitingKafka.store(true, ordering: .relaxed)
        defer { isAwaitingKafka.store(false, ordering: .relaxed) }
        return try wait()
    }

    /// Records why Kafka has not answered yet.
    func setKafkaError(_ error: String) { kafkaError.withLock { $0 = error } }

    /// Records that the store is open.
    func setStoreOpen() { isOpen.store(true, ordering: .relaxed) }

    /// Records whether the group has answered with an assignment. An empty one counts: the consumer is on standby.
    func setAssigned(_ value: Bool) { isAssigned.store(value, ordering: .relaxed) }

    /// What a consumer's thread can wait for.
    enum Wait {
        /// For Kafka's first answer.
        case firstAnswer
        /// For the store to open.
        case opening
        /// For the store or the dead-letter topic.
        case store
        /// For Kafka.
        case records
    }

    /// What the consumer's thread waits for now.
    var wait: Wait {
        if !isOpen.load(ordering: .relaxed) {
            return isAwaitingKafka.load(ordering: .relaxed) ? .firstAnswer : .opening
        }
        return isAwaitingStore.load(ordering: .relaxed) ? .store : .records
    }

    /// Runs a wait for the store: a commit, or a read or a write of the loop's own.
    func awaitingStore<Value, Failure: Error>(_ wait: () throws(Failure) -> Value) throws(Failure) -> Value {
        isAwaitingStore.store(true, ordering: .relaxed)
        defer { isAwaitingStore.store(false, ordering: .relaxed) }
        return try wait()
    }

    /// Records the partitions that have records to read and are not read on.
    func setStalled(_ partitions: [Int32]) { stalled.withLock { $0 = partitions } }

    /// Why the consumer cannot count yet; `nil` if it can.
    var reasonNotReady: String? {
        switch wait {
        case .firstAnswer:
            let error = kafkaError.withLock { $0 }
            return "starting: Kafka has not answered yet" + (error.map { " (\($0))" } ?? "")
        case .opening: return "starting: the store is not open yet"
        case .store, .records: break
        }
        if !isAssigned.load(ordering: .relaxed) {
            return "no partitions are assigned: the consumer group or the brokers have not answered yet"
        }
        let stalled = stalled.withLock { $0 }
        if !stalled.isEmpty {
            let list = stalled.map(String.init).joined(separator: ", ")
            return "no progress in partition \(list) for a minute or longer, although it has records to read or its "
                + "leader does not answer: see the log"
        }
        return nil
    }
}
