import Synchronization

/// How far a consumer has come, for who asks from another thread.
final class ConsumerStatus: Sendable {
    private let isOpen = Atomic(false)
    private let isAssigned = Atomic(false)

    /// The store was opened.
    func opened() { isOpen.store(true, ordering: .relaxed) }

    /// Partitions were given or taken. A consumer that was given none, because others have them all, stands by.
    func setAssigned(_ value: Bool) { isAssigned.store(value, ordering: .relaxed) }

    /// Why it cannot be counting; `nil` where it can.
    var reasonNotReady: String? {
        if !isOpen.load(ordering: .relaxed) { return "starting: Kafka has not answered, or the store is not open yet" }
        if !isAssigned.load(ordering: .relaxed) { return "no partitions are assigned yet" }
        return nil
    }
}
