extension EventSink {
    /// Sends every event to all of the sinks.
    ///
    /// ```swift
    /// let sink = EventSink.fanOut([.http(configuration), .file(path: "events.ndjson")])
    /// ```
    ///
    /// - An event is delivered when every sink has delivered it.
    /// - If a sink returns `retry`, the event is sent again, but only to the sinks that returned `retry`. A sink that
    ///   fails therefore delays later events for all sinks. Give a sink its own tracker if it must not wait for others.
    /// - If a sink returns `pause`, the tracker pauses.
    /// - If all sinks have settled the event and any of them rejected it, the event counts as rejected, with the first
    ///   failure. The other sinks still have it.
    ///
    /// Its clock is that of the first sink that has one.
    ///
    /// The sink remembers the outcomes of at most 10,000 events that it has to send again. Beyond that it forgets all of
    /// them, and a sink may receive an event twice. The pair of `source` and `id` identifies the duplicate.
    public static func fanOut(_ sinks: [EventSink]) -> EventSink {
        let fanOut = FanOut(sinks: sinks)
        return EventSink(
            maximumBatchesInFlight: sinks.map(\.maximumBatchesInFlight).min() ?? 1,
            submit: { batch in await fanOut.submit(batch) },
            flush: { await eachAtOnce(sinks) { await $0.flush() } },
            shutdown: { await eachAtOnce(sinks) { await $0.shutdown() } },
            clock: {
                for sink in sinks {
                    let clock = await sink.clock()
                    if clock != .none { return clock }
                }
                return .none
            }
        )
    }

    private static func eachAtOnce(
        _ sinks: [EventSink],
        _ operation: @escaping @Sendable (EventSink) async -> Void
    ) async {
        await withDiscardingTaskGroup { group in
            for sink in sinks { group.addTask { await operation(sink) } }
        }
    }
}
