import Synchronization

/// The commands that senders leave for the producer's thread.
///
/// It has no bound of its own: each batch belongs to a sender that waits for it.
final class ProducerInbox: Sendable {
    enum Command {
        case send(InFlightBatch)
        case flush
        case close(deadline: ContinuousClock.Instant)
    }

    private enum State {
        /// The thread waits on this queue. It belongs to the client, which the thread destroys when it ends.
        case open(commands: [Command], queue: WakeableQueue)
        case ended
    }

    private let state: Mutex<State>

    init(queue: WakeableQueue) {
        state = Mutex(.open(commands: [], queue: queue))
    }

    /// Adds a command, and wakes the thread for the first one.
    ///
    /// - Returns: whether the thread will see the command; `false` if it has ended.
    @discardableResult
    func put(_ command: Command) -> Bool {
        let (isOpen, sleeping): (Bool, WakeableQueue?) = state.withLock { state in
            switch state {
            case .ended:
                return (false, nil)
            case .open(var commands, let queue):
                // Thousands of senders may ask at the same time; one flush serves them all.
                if case .flush = command, case .flush? = commands.last { return (true, nil) }
                let isFirst = commands.isEmpty
                // Releases the state's reference to the array, so that `append` does not copy it.
                state = .ended
                commands.append(command)
                state = .open(commands: commands, queue: queue)
                // If there were commands already, their sender has woken the thread, and it has not taken them yet.
                return (true, isFirst ? queue : nil)
            }
        }
        // Outside of the lock, because the thread takes the lock at once.
        sleeping?.wake()
        return isOpen
    }

    /// Removes and returns the commands, in order.
    func take() -> [Command] {
        state.withLock { state in
            guard case .open(let commands, let queue) = state, !commands.isEmpty else { return [] }
            state = .open(commands: [], queue: queue)
            return commands
        }
    }

    /// Refuses all further commands, and returns those that were not taken yet.
    func end() -> [Command] {
        state.withLock { state in
            guard case .open(let commands, _) = state else { return [] }
            state = .ended
            return commands
        }
    }
}
