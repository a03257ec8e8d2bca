import FlowEvents
import Synchronization

/// The memory that all requests together may use, from the arrival of their bytes until their answers are sent.
///
/// A request reserves memory for the bytes that have arrived, not for those that its headers announce. Each write key may
/// use a share only, so that one key cannot take all memory or all connections.
///
/// If Kafka is slow or unavailable, the budget fills up, and the collector refuses requests.
final class MemoryBudget: Sendable {
    private struct Use {
        var bytes = 0
        var requests = 0
    }

    private struct State {
        var bytes = 0
        var keys: [String: Use] = [:]
    }

    private let limit: Int
    private let limitPerKey: Int
    private let requestsPerKey: Int
    private let state = Mutex(State())

    /// Creates an empty budget.
    ///
    /// - Parameters:
    ///   - limit: the bytes of all requests.
    ///   - limitPerKey: the bytes of the requests of one key's name.
    ///   - requestsPerKey: the number of requests of one key's name at a time.
    init(limit: Int, limitPerKey: Int, requestsPerKey: Int) {
        self.limit = limit
        self.limitPerKey = min(limit, limitPerKey)
        self.requestsPerKey = requestsPerKey
    }

    /// The reserved bytes.
    var used: Int { state.withLock { $0.bytes } }

    /// Admits a request without reserving memory; `nil` if the key has too many requests already.
    func admit(_ key: String) -> Reservation? {
        let isAdmitted = state.withLock { state in
            guard state.keys[key, default: Use()].requests < requestsPerKey else { return false }
            state.keys[key, default: Use()].requests += 1
            return true
        }
        return isAdmitted ? Reservation(key, of: self) : nil
    }

    private func take(_ bytes: Int, for key: String) -> Bool {
        state.withLock { state in
            let use = state.keys[key, default: Use()].bytes
            guard bytes <= 0 || (state.bytes <= limit - bytes && use <= limitPerKey - bytes) else { return false }
            state.bytes += bytes
            state.keys[key, default: Use()].bytes += bytes
            return true
        }
    }

    private func end(_ bytes: Int, for key: String) {
        state.withLock { state in
            state.bytes -= bytes
            var use = state.keys[key, default: Use()]
            use.bytes -= bytes
            use.requests -= 1
            // Keys can be replaced, so the names of old ones are not kept.
            state.keys[key] = use.requests == 0 ? nil : use
        }
    }

    /// The memory of one request. It is given back when the object is deinitialized.
    final class Reservation: Sendable {
        private let budget: MemoryBudget
        private let key: String
        private let bytes = Mutex(0)

        fileprivate init(_ key: String, of budget: MemoryBudget) {
            self.key = key
            self.budget = budget
        }

        deinit {
            budget.end(bytes.withLock { $0 }, for: key)
        }

        /// The reserved bytes.
        var size: Int { bytes.withLock { $0 } }

        /// Changes the size of the reservation; returns `false`, and changes nothing, if the new size exceeds the
        /// budget or the key's share.
        func resize(to size: Int) -> Bool {
            bytes.withLock { bytes in
                guard budget.take(size - bytes, for: key) else { return false }
                bytes = size
                return true
            }
        }
    }
}

/// The memory that a request takes from ``MemoryBudget``.
enum RequestSize {
    /// The memory for `plain` bytes of a decompressed body: the body, its events, and librdkafka's copies of them.
    static func reserved(plain: Int) -> Int { 3 * plain }

    /// The maximum memory of one request: its body, and an answer in which every event is rejected.
    static func largest(_ limits: CollectorLimits) -> Int {
        let plain = max(limits.bodySize, limits.decompressedSize)
        // An event has at least one byte and a comma.
        let count = min(limits.batchCount, plain / 2 + 1)
        return reserved(plain: plain) + EventVerdict.maximumSize(idSize: 0) * count
            + JSONWriter.longestEscape * min(plain, count * EventRules.maximumTextSize)
    }

    /// The events that a failed request with this reservation costs the key: one for each KiB that was read, at least one.
    static func cost(reserved: Int) -> Int { reserved / 3 / 1024 + 1 }
}
