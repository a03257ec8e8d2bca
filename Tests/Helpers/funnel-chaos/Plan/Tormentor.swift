import Foundation
import KafkaTestSupport
import RDKafka
import FlowProcessTestSupport
import Synchronization

/// Carries out a ``TormentPlan`` on the real brokers, store and consumers.
struct Tormentor: Sendable {
    let kafka: TrialKafka
    let topics: ChaosTopics
    let store: ChaosStore
    let fleet: Fleet
    let openPartitions: OpenPartitions
    /// Receives a line for each torment, for the log of the run.
    let log: @Sendable (String) -> Void

    /// Carries out each torment at its time, and returns after the last one.
    func run(_ plan: TormentPlan, from start: ContinuousClock.Instant) async throws {
        // A real broker takes seconds to start again. The other torments go on meanwhile, but no second crash.
        var crash: Task<Void, any Error>?
        for entry in plan.entries {
            try await Task.sleep(until: start + .milliseconds(entry.at), clock: .continuous)
            if kafka.canCrash, case .takeDown = entry.torment {
                try await crash?.value
                log("\(entry.at) ms: \(entry.torment)")
                crash = Task { [kafka] in try await kafka.crash() }
                continue
            }
            log("\(entry.at) ms: \(entry.torment)")
            try await apply(entry.torment)
        }
        try await crash?.value
    }

    /// Removes the errors that no request has received yet from the brokers.
    func heal() {
        for request in EmbeddedBroker.Request.allCases { kafka.embedded?.clearFailures(of: request) }
    }

    private func apply(_ torment: Torment) async throws {
        switch torment {
        case .kill(let place): await fleet.kill(place)
        case .start(let place): try await fleet.start(place)
        case .pause(let place): await fleet.pause(place)
        case .resume(let place): await fleet.resume(place)
        case .retire(let place): await fleet.retire(place)
        case .rival: try await fleet.startRival()
        case .takeDown(let id): try kafka.embedded?.cutOff(id)
        case .bringUp(let id): try kafka.embedded?.bringUp(id)
        case .refuse(let request, let code, let times):
            kafka.embedded?.fail(request, with: Array(repeating: code, count: times))
        case .delay(let id, let milliseconds):
            try kafka.embedded?.setRoundTrip(.milliseconds(milliseconds), broker: id)
        case .moveCoordinator(let id):
            // The mock cluster ends the process if a member joins at the new coordinator before the old one has
            // answered it (`!member->resp` in rdkafka_mock_cgrp.c). A closed connection removes the open request.
            try kafka.embedded?.cutOff()
            try kafka.embedded?.setCoordinator(ofGroup: topics.group, to: id)
            try kafka.embedded?.bringUp()
        case .moveLeader(let partition, let id):
            let partition = TopicPartition(topic: topics.events, partition: partition)
            try kafka.embedded?.setLeader(of: partition, to: id)
        case .cut(let cut): store.cutNext(cut)
        case .release: store.release()
        case .stopStore: try await onThread { [store] in try store.stop() }
        case .startStore: try await onThread { [store] in try store.start() }
        case .widenTopic:
            try await onThread { [kafka, topics, openPartitions] in
                try kafka.addPartitions(to: topics.events, upTo: openPartitions.all)
            }
            openPartitions.widen()
        }
    }
}

/// The number of partitions that the producers use.
///
/// The mock cluster cannot add partitions to a topic. So its topic has all of them from the start, and half of them stay
/// empty for a while. Installs then move to other partitions as they do when partitions are added.
final class OpenPartitions: Sendable {
    let all: Int
    private let isWide = Atomic(false)

    init(all: Int) { self.all = all }

    /// The number of partitions at the start.
    var first: Int { max(1, all / 2) }

    var count: Int { isWide.load(ordering: .relaxed) ? all : first }

    func widen() { isWide.store(true, ordering: .relaxed) }
}

/// Runs blocking work on its own thread, outside of the cooperative pool.
func onThread<Value: Sendable>(_ work: @escaping @Sendable () throws -> Value) async throws -> Value {
    try await withCheckedThrowingContinuation { continuation in
        Thread.detachNewThread { continuation.resume(with: Result { try work() }) }
    }
}
