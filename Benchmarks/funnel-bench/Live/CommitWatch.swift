import Foundation
import FunnelCommandStores
import FunnelConsumerConfiguration
import FunnelStore
import Funnels
import Synchronization

/// Reads the offsets that a store has, again and again on a thread of its own, and remembers when they have changed.
///
/// A record is committed when the store has an offset above its own: offsets and results change in one transaction. The
/// time of a commit is the time when a look has seen it, so it is late by up to the interval of the looks, never early.
final class CommitWatch: Sendable {
    /// The offsets of the next records to read, by partition, and when they were seen, in milliseconds since 1970.
    struct Look {
        var time: Int64
        var offsets: [Int32: Int64]

        /// The number of records below the offsets. Right for a topic whose first offset is 0 in each partition.
        var recordCount: Int { offsets.values.reduce(0) { $0 + Int($1) } }
    }

    private struct State {
        var looks = [Look(time: 0, offsets: [:])]
        var eventCount = 0
        var failure: (any Error)?
        var isStopped = false
    }

    private let state = Mutex(State())

    /// Starts watching. The store may not exist yet.
    ///
    /// - Parameter interval: the time between two looks, in seconds.
    init(_ url: StoreURL, interval: Double) {
        let thread = Thread { [self] in
            var reader: (any FunnelAuditing)?
            while !state.withLock(\.isStopped) {
                do {
                    let open = try reader ?? url.openReader()
                    reader = open
                    look(try open.withAudit { try $0.progress() })
                } catch let error as StoreError where reader == nil && error.code == .missing {
                    // The consumer has not created the store yet.
                } catch {
                    state.withLock { $0.failure = error }
                    return
                }
                Thread.sleep(forTimeInterval: interval)
            }
        }
        thread.start()
    }

    private func look(_ progress: [PartitionProgress]) {
        let offsets = Dictionary(uniqueKeysWithValues: progress.map { ($0.partition, $0.nextOffset) })
        let time = currentMilliseconds()
        state.withLock { state in
            state.eventCount = progress.reduce(0) { $0 + Int($1.quality.events) }
            if state.looks.last?.offsets != offsets { state.looks.append(Look(time: time, offsets: offsets)) }
        }
    }

    /// The newest look.
    ///
    /// - Throws: the error that ended the watch.
    func last() throws -> Look {
        try state.withLock { state in
            if let failure = state.failure { throw failure }
            // There is one from the beginning.
            return state.looks[state.looks.count - 1]
        }
    }

    /// The number of valid events that the store has counted.
    var eventCount: Int { state.withLock(\.eventCount) }

    /// Returns the looks so far, and forgets all but the newest.
    func takeLooks() -> [Look] {
        state.withLock { state in
            defer { state.looks.removeFirst(state.looks.count - 1) }
            return state.looks
        }
    }

    /// Waits until so many records are committed.
    ///
    /// - Returns: whether they are, within the time.
    func waits(for recordCount: Int, within timeout: Duration) async throws -> Bool {
        let end = ContinuousClock.now + timeout
        while try last().recordCount < recordCount {
            guard .now < end else { return false }
            try await Task.sleep(for: .milliseconds(10))
        }
        return true
    }

    func stop() { state.withLock { $0.isStopped = true } }
}

/// The time by the machine's clock, which record timestamps have too, in milliseconds since 1970.
func currentMilliseconds() -> Int64 { Int64(Date().timeIntervalSince1970 * 1000) }
