import EventTracking

extension EventSink {
    /// Returns a sink that sends every batch twice, like a phone that loses the responses.
    ///
    /// - Parameter counter: counts the repeated events.
    func sentTwice(countedBy counter: RepeatCounter) -> EventSink {
        let submit = submit
        var sink = self
        sink.submit = { batch in
            let first = await submit(batch)
            let second = await submit(batch)
            return EventReceipt {
                _ = await first.outcomes()
                let outcomes = await second.outcomes()
                await counter.add(outcomes.count { $0 == .delivered })
                return outcomes
            }
        }
        return sink
    }
}

/// Counts repeated events.
actor RepeatCounter {
    private(set) var count = 0

    func add(_ events: Int) {
        count += events
    }
}
