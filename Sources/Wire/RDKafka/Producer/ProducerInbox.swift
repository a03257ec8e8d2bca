import CRDKafka
import Synchronization

/// What senders leave for the producer's thread, and how they wake it.
///
/// It has no bound of its own: each entry belongs to a sender that is suspended until its records are settled.
final class ProducerInbox: Sendable {
    enum Command {
        case send(InFlightBatch)
        case flush
        case close(deadline: ContinuousClock.Instant, done: CheckedContinuation<UndeliveredRecords, Never>?)
    }

    private enum State {
        /// The queue that the thread waits on belongs to the client, which the thread destroys when it ends.
        case open(commands: [Command], wake: WakeableQueue)
        case ended(UndeliveredRecords)
    }

    private let state: Mutex<State>

    init(wake: WakeableQueue) {
        state = Mutex(.open(commands: [], wake: wake))
    }

    /// Leaves a command, or tells with which result the thread has ended.
    func put(_ command: Command) -> UndeliveredRecords? {
        let (undelivered, sleeper): (UndeliveredRecords?, WakeableQueue?) = state.withLock { state in
            switch state {
            case .ended(let undelivered):
                return (undelivered, nil)
            case .open(var commands, let wake):
                // Thousands of senders may ask at once, and one flush serves them all.
                if case .flush = command, case .flush? = commands.last { return (nil, nil) }
                let isFirst = commands.isEmpty
                // Or the append would copy what the state holds as well.
                state = .ended(UndeliveredRecords())
                commands.append(command)
                state = .open(commands: commands, wake: wake)
                // Who came first wakes the thread; it has not looked yet, or there would be nothing here.
                return (nil, isFirst ? wake : nil)
            }
        }
        // After the lock is given back: the thread asks for it at once.
        sleeper?.wake()
        return undelivered
    }

    /// What has come since the last call.
    func take() -> [Command] {
        state.withLock { state in
            guard case .open(let commands, let wake) = state, !commands.isEmpty else { return [] }
            state = .open(commands: [], wake: wake)
            return commands
        }
    }

    /// Ends the inbox and returns what came at the last moment.
    func end(_ undelivered: UndeliveredRecords) -> [Command] {
        state.withLock { state in
            guard case .open(let commands, _) = state else { return [] }
            state = .ended(undelivered)
            return commands
        }
    }
}
