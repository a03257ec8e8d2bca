internal import NIOCore
import Synchronization

/// The open connections, and the memory of the answers that their clients have not read.
///
/// The limit is for connections with a request. Connections without one never keep others out: at the limit, a new
/// connection closes the one that has been without a request for the longest time, first those that never had a valid
/// write key. So clients that only open connections cannot stop apps or health checks.
final class ConnectionTable: Sendable {
    private struct Entry {
        let channel: any Channel
        /// The number of the moment at which the connection had no request any more; `nil` while it has one.
        var idleSince: Int?
        var hadKey = false
        var answer: MemoryBudget.Reservation?
    }

    private struct State {
        var entries: [ObjectIdentifier: Entry] = [:]
        var moment = 0
        var requests = 0

        mutating func nextMoment() -> Int {
            moment += 1
            return moment
        }
    }

    private let limit: Int
    /// The number of connections that may be without a request, however many have one. A new connection needs some time
    /// until its request arrives.
    private let reserve: Int
    private let state = Mutex(State())

    /// Creates an empty table.
    ///
    /// - Parameter limit: the number of connections.
    init(limit: Int) {
        self.limit = limit
        reserve = max(1, limit / 16)
    }

    /// Whether more connections have a request than the limit allows.
    var isOverloaded: Bool { state.withLock { $0.requests > limit } }

    /// Adds a connection.
    ///
    /// - Returns: the connection to close, if there are too many.
    func opened(_ channel: any Channel) -> (any Channel)? {
        state.withLock { state in
            defer {
                state.entries[ObjectIdentifier(channel)] = Entry(channel: channel, idleSince: state.nextMoment())
            }
            let idle = state.entries.count - state.requests
            guard idle >= max(limit - state.requests, reserve) else { return nil }
            let oldest = state.entries.filter { $0.value.idleSince != nil }.min { lhs, rhs in
                (lhs.value.hadKey ? 1 : 0, lhs.value.idleSince ?? 0) < (
                    rhs.value.hadKey ? 1 : 0, rhs.value.idleSince ?? 0
                )
            }
            guard let oldest else { return nil }
            state.entries[oldest.key] = nil
            return oldest.value.channel
        }
    }

    /// Removes a connection.
    func closed(_ channel: any Channel) {
        let entry = state.withLock { state in
            let entry = state.entries.removeValue(forKey: ObjectIdentifier(channel))
            if let entry, entry.idleSince == nil { state.requests -= 1 }
            return entry
        }
        // Outside of the lock, because the reservation may end here.
        withExtendedLifetime(entry) {}
    }

    /// Marks that a request has begun.
    func requestBegan(on channel: any Channel) {
        change(channel) { entry, requests in
            if entry.idleSince != nil { requests += 1 }
            entry.idleSince = nil
        }
    }

    /// Marks that the connection's client has a valid write key.
    func foundKey(on channel: any Channel) {
        change(channel) { entry, _ in entry.hadKey = true }
    }

    /// Keeps the memory of an answer reserved until the answer is sent or the connection is closed.
    func keep(_ reservation: MemoryBudget.Reservation, forAnswerOn channel: any Channel) {
        change(channel) { entry, _ in entry.answer = reservation }
    }

    /// Takes the reservation of the answer that is being written.
    func takeAnswer(on channel: any Channel) -> MemoryBudget.Reservation? {
        var answer: MemoryBudget.Reservation?
        change(channel) { entry, _ in (answer, entry.answer) = (entry.answer, nil) }
        return answer
    }

    /// Marks that the connection has no request.
    func requestEnded(on channel: any Channel) {
        state.withLock { state in
            guard state.entries[ObjectIdentifier(channel)]?.idleSince == nil else { return }
            let moment = state.nextMoment()
            guard state.entries[ObjectIdentifier(channel)] != nil else { return }
            state.entries[ObjectIdentifier(channel)]?.idleSince = moment
            state.requests -= 1
        }
    }

    private func change(_ channel: any Channel, _ body: (inout Entry, inout Int) -> Void) {
        state.withLock { state in
            let id = ObjectIdentifier(channel)
            guard var entry = state.entries[id] else { return }
            body(&entry, &state.requests)
            state.entries[id] = entry
        }
    }
}
