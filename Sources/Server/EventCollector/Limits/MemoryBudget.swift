import Synchronization

/// The bytes that all requests together may hold while they are read and while Kafka has not acknowledged them.
///
/// When Kafka is slow or away it fills up, and requests are refused before their bodies are read.
final class MemoryBudget: Sendable {
    private let limit: Int
    private let reserved = Mutex(0)

    init(limit: Int) {
        self.limit = limit
    }

    /// The bytes that are taken now.
    var used: Int { reserved.withLock { $0 } }

    /// Takes bytes for as long as the reservation lives; `nil` where there is no room.
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

    /// Bytes that are taken until it goes.
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

        /// Makes it as large as it has to be; `false` where there is no room for that.
        func resize(to size: Int) -> Bool {
            bytes.withLock { bytes in
                guard budget.take(size - bytes) else { return false }
                bytes = size
                return true
            }
        }
    }
}
