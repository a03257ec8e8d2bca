import EventTracking
import FlowEvents
import RDKafka
import KafkaSink

/// Publishes events through `EventSink.kafka`. Each run has a producer of its own, as each run of kcat has.
struct SinkPublisher {
    let settings: KafkaConfiguration
    let topic: String
    let batchCount: Int
    let laneCount: Int

    /// Encodes and publishes events on several tasks, the events of an install on the same task, and returns the number
    /// of events per second.
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
        // Freeing the events is not part of publishing them.
        return withExtendedLifetime(lanes) { Double(events.count) / ((end - start) / .seconds(1)) }
    }

    private func publish(_ events: [Event], to sink: EventSink) async throws {
        var receipts: [EventReceipt] = []
        for first in stride(from: 0, to: events.count, by: batchCount) {
            let batch = try events[first..<min(first + batchCount, events.count)].map { try EncodedEvent($0) }
            if receipts.count == sink.maximumBatchesInFlight { try await check(receipts.removeFirst()) }
            receipts.append(await sink.submit(batch))
        }
        for receipt in receipts { try await check(receipt) }
    }

    // One array for each task: tasks that share an array compete for its reference count.
    private func lanes(of events: [Event]) -> [[Event]] {
        var lanes = [[Event]](repeating: [], count: laneCount)
        for event in events { lanes[Int(event.installID.utf8.last ?? 0) % laneCount].append(event) }
        return lanes
    }

    /// Tracks drafts with many trackers in turn, and returns the number of delivered events per second.
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

/// A failure that makes the result invalid.
enum BenchError: Error, CustomStringConvertible {
    case notDelivered
    case kcat(Int32)

    var description: String {
        switch self {
        case .notDelivered: "not every event was delivered: check that the broker is running and has the topic"
        case .kcat(let status):
            "kcat exited with status \(status): check that it is installed and that the broker is running"
        }
    }
}
