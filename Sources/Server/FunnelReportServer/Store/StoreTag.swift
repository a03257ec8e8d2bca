import FlowEvents
import FunnelStore
import Funnels

/// A short text for the state of a store. It changes with each commit and with each rebuild, and costs little to ask for.
///
/// It is also different in another process, whose pages may look different.
struct StoreTag: Sendable, Hashable {
    /// 16 hexadecimal digits.
    let text: String

    /// Reads the state of a snapshot.
    ///
    /// - Throws: `StoreError`.
    init(_ reader: any FunnelReading, _ snapshot: any SummarySource, now: Timestamp) throws {
        var hasher = Hasher()
        hasher.combine(reader.generation)
        hasher.combine(reader.funnels)
        hasher.combine(try snapshot.topicProgress())
        hasher.combine(try snapshot.unreadPartitions(now: now))
        let digits = String(UInt(bitPattern: hasher.finalize()), radix: 16)
        text = String(repeating: "0", count: 16 - digits.count) + digits
    }
}
