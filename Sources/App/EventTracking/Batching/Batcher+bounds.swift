extension Batcher {
    /// Queues an entry and returns what had to go for it: the oldest entries that are not on their way, or the entry
    /// itself where that would not be enough.
    mutating func makeRoom(for entry: Entry) -> [Item] {
        let countLeft = configuration.maximumQueueCount - inFlightCount
        let bytesLeft = configuration.maximumQueueBytes - inFlightBytes
        guard countLeft >= 1, bytesLeft >= entry.bytes else { return [entry.item] }
        var dropped: [Item] = []
        while waiting.count + 1 > countLeft || waitingBytes + entry.bytes > bytesLeft,
            let oldest = waiting.popFirst()
        {
            waitingBytes -= oldest.bytes
            dropped.append(oldest.item)
        }
        waiting.append(entry)
        waitingBytes += entry.bytes
        return dropped
    }
}
