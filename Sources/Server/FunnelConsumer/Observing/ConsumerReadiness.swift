import Synchronization

/// Whether a consumer has opened its store and has an assignment. The consumer's thread writes it, any thread reads it.
final class ConsumerReadiness: Sendable {
    private let isOpen = Atomic(false)
    private let isAssigned = Atomic(false)

    /// Records that the store is open.
    func setStoreOpen() { isOpen.store(true, ordering: .relaxed) }

    /// Records whether the group has answered with an assignment. An empty one counts: the consumer is on standby.
    func setAssigned(_ value: Bool) { isAssigned.store(value, ordering: .relaxed) }

    /// Why the consumer cannot count yet; `nil` if it can.
    var reasonNotReady: String? {
        if !isOpen.load(ordering: .relaxed) { return "starting: Kafka has not answered, or the store is not open yet" }
        if !isAssigned.load(ordering: .relaxed) { return "no partitions are assigned yet" }
        return nil
    }
}
