import Synchronization

/// The memory that all requests together may use until Kafka has acknowledged their events.
///
/// If Kafka is slow or unavailable, the budget fills up, and the collector refuses requests before it reads their
/// bodies.
final class MemoryBudget: Sendable {
    private let limit: Int
    private let reserved = Mutex(0)

    init(limit: Int) {
        self.limit = limit
    }

    /// The reserved bytes.
    var used: Int { reserved.withLock { $0 } }

    /// Reserves bytes until the reservation is released; `nil` if they exceed the budget.
    func reserve(_ bytes: Int) -> Reservation? {
        take(bytes) ? Reservation(bytes, of: self) : nil
    }

    private func take(_ bytes: Int) -> Bool {
        reserved.withLock { reserved in
            guard reserved <= limit - bytes else { return false }
            reserved += bytes
            return true
        }
    }

    /// Reserved bytes. They are given back when the object is deinitialized.
    final class Reservation: Sendable {
        private let budget: MemoryBudget
        private let bytes: Mutex<Int>

        fileprivate init(_ bytes: Int, of budget: MemoryBudget) {
            self.budget = budget
            self.bytes = Mutex(bytes)
        }

        deinit {
            budget.reserved.withLock { $0 -= bytes.withLock { $0 } }
        }

        /// Changes the size of the reservation; returns `false`, and changes nothing, if the new size exceeds the
        /// budget.
        func resize(to size: Int) -> Bool {
            bytes.withLock { bytes in
                guard budget.take(size - bytes) else { return false }
                bytes = size
                return true
            }
        }
    }
}

/// The memory that a request takes from ``MemoryBudget``.
enum RequestSize {
    /// The reservation for a decompressed body of `plain` bytes: the body, its events, and librdkafka's copies of them.
    static func reserved(plain: Int) -> Int { 3 * plain }
}
