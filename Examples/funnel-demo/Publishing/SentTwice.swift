import EventTracking

extension EventSink {
    /// A phone that loses the answers, and so sends every batch again.
    ///
    /// - Parameter counter: counts the events that were delivered a second time.
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

/// Counts what was delivered a second time.
actor RepeatCounter {
    private(set) var count = 0

    func add(_ events: Int) {
        count += events
    }
}
