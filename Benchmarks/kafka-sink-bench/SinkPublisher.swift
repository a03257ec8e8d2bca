import EventTracking
import FlowEvents
import RDKafka
import KafkaSink

/// Publishes through `EventSink.kafka`; each run has a producer of its own, as kcat has.
struct SinkPublisher {
    let settings: KafkaConfiguration
    let topic: String
    let batchCount: Int
    let laneCount: Int

    /// Encodes and publishes events on as many tasks as there are processors, an install's events all on one, and
    /// returns how many a second.
    func publish(_ events: [Event]) async throws -> Double {
        let lanes = lanes(of: events)
        let start = ContinuousClock.now
        let sink = try EventSink.kafka(settings, topic: topic)
        try await withThrowingTaskGroup { group in
            for lane in lanes { group.addTask { try await publish(lane, to: sink) } }
            try await group.waitForAll()
        }
        await sink.shutdown()
        let end = ContinuousClock.now
        // Freeing the events is no part of publishing them.
        return withExtendedLifetime(lanes) { Double(events.count) / ((end - start) / .seconds(1)) }
    }

    private func publish(_ events: [Event], to sink: EventSink) async throws {
        var onTheirWay: [EventReceipt] = []
        for first in stride(from: 0, to: events.count, by: batchCount) {
            let batch = try events[first..<min(first + batchCount, events.count)].map { try EncodedEvent($0) }
            if onTheirWay.count == sink.maximumBatchesInFlight { try await check(onTheirWay.removeFirst()) }
            onTheirWay.append(await sink.submit(batch))
        }
        for receipt in onTheirWay { try await check(receipt) }
    }

    // An array for each: tasks that share one take turns counting its references.
    private func lanes(of events: [Event]) -> [[Event]] {
        var lanes = [[Event]](repeating: [], count: laneCount)
        for event in events { lanes[Int(event.installID.utf8.last ?? 0) % laneCount].append(event) }
        return lanes
    }

    /// Tracks drafts with many trackers, in turn, and returns how many events a second arrive.
    func publish(drafts: [EventDraft], trackers count: Int) async throws -> Double {
        let start = ContinuousClock.now
        let sink = try EventSink.kafka(settings, topic: topic)
        let batching = BatchingConfiguration(
            maximumBatchCount: batchCount,
            maximumAge: .milliseconds(200),
            maximumQueueCount: drafts.count,
            maximumQueueBytes: .max / 2
        )
        let trackers = (0..<count).map { _ in
            Tracker(
                source: "app://com.example.shop",
                identity: .memory(),
                sink: sink,
                configuration: TrackerConfiguration(batching: batching)
            )
        }
        for (index, draft) in drafts.enumerated() { trackers[index % count].track(draft) }
        for tracker in trackers {
            let report = await tracker.shutdown(deadline: .seconds(120))
            guard report.isComplete, report.statistics.droppedCount == 0 else { throw BenchError.notDelivered }
        }
        await sink.shutdown()
        return Double(drafts.count) / ((ContinuousClock.now - start) / .seconds(1))
    }

    private func check(_ receipt: EventReceipt) async throws {
        guard await receipt.outcomes().allSatisfy({ $0 == .delivered }) else { throw BenchError.notDelivered }
    }
}

/// Why a figure would be worth nothing.
enum BenchError: Error, CustomStringConvertible {
    case notDelivered
    case kcat(Int32)

    var description: String {
        switch self {
        case .notDelivered: "Not every event was delivered; is the broker there, and does it have the topic?"
        case .kcat(let status): "kcat ended with status \(status); is it installed, and is the broker there?"
        }
    }
}
