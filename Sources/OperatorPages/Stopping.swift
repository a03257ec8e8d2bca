import Synchronization

/// Whether the end of serving was asked for, so that it is no failure.
final class Stopping: Sendable {
    private let flag = Atomic(false)

    var value: Bool { flag.load(ordering: .acquiring) }

    func set() { flag.store(true, ordering: .releasing) }
}
