extension EventSink {
    /// Gives every event to all of `sinks`, in lock step.
    ///
    /// - An event is delivered when every sink has delivered it.
    /// - Where any sink says `retry`, the event is sent again, but only to the sinks that said so: those that have
    ///   settled it do not see it twice. So a sink that is down holds back what comes after it from the others too. A
    ///   sink that must not be held back gets a tracker, or a queue, of its own.
    /// - Where any sink says `pause`, so does the whole.
    /// - Where all have settled it and any rejected it, the event counts as rejected, with the first failure, although
    ///   the others have it.
    ///
    /// What is remembered for events to be sent again has a bound of 10,000 events; past it all is forgotten, and a sink
    /// may see an event a second time, which the pair of `source` and `id` tells.
    public static func fanOut(_ sinks: [EventSink]) -> EventSink {
        let fanOut = FanOut(sinks: sinks)
        return EventSink(
            maximumBatchesInFlight: sinks.map(\.maximumBatchesInFlight).min() ?? 1,
            submit: { batch in await fanOut.submit(batch) },
            flush: { await eachAtOnce(sinks) { await $0.flush() } },
            shutdown: { await eachAtOnce(sinks) { await $0.shutdown() } }
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
