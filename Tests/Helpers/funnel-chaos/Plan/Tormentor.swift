import Foundation
import RDKafka
import FlowProcessTestSupport
import Synchronization

/// Carries a plan out: the thin side of ``TormentPlan``.
struct Tormentor: Sendable {
    let broker: EmbeddedBroker
    let store: ChaosStore
    let fleet: Fleet
    let openPartitions: OpenPartitions
    /// Is told what is done, for the log of the run.
    let log: @Sendable (String) -> Void

    /// Does everything in its time; returns when all is done.
    func run(_ plan: TormentPlan, from start: ContinuousClock.Instant) async throws {
        for entry in plan.entries {
            try await Task.sleep(until: start + .milliseconds(entry.at), clock: .continuous)
            log("\(entry.at) ms: \(entry.torment)")
            try await apply(entry.torment)
        }
    }

    /// Ends what is still wrong with the broker: errors that no request has met.
    func heal() {
        for request in EmbeddedBroker.Request.allCases { broker.clearFailures(of: request) }
    }

    private func takeDown(_ id: Int?) throws {
        // The broker listens anew on its port at once, and the fleet starts consumers meanwhile.
        try Process.withoutStarts { try broker.takeDown(id) }
    }

    private func apply(_ torment: Torment) async throws {
        switch torment {
        case .kill(let place): await fleet.kill(place)
        case .start(let place): try await fleet.start(place)
        case .pause(let place): await fleet.pause(place)
        case .resume(let place): await fleet.resume(place)
        case .retire(let place): await fleet.retire(place)
        case .rival: try await fleet.startRival()
        case .takeDown(let id): try takeDown(id)
        case .bringUp(let id): try broker.bringUp(id)
        case .refuse(let request, let code, let times):
            broker.fail(request, with: Array(repeating: code, count: times))
        case .delay(let id, let milliseconds): try broker.setRoundTrip(.milliseconds(milliseconds), broker: id)
        case .moveCoordinator(let id):
            // The mock cluster ends the process where a member joins at the new coordinator while the old one still owes
            // it an answer (`!member->resp` in rdkafka_mock_cgrp.c); a connection that closes takes that with it.
            try takeDown(nil)
            try broker.setCoordinator(ofGroup: ChaosTopics.group, to: id)
            try broker.bringUp()
        case .moveLeader(let partition, let id):
            try broker.setLeader(of: TopicPartition(topic: ChaosTopics.events, partition: partition), to: id)
        case .cut(let cut): store.cutNext(cut)
        case .release: store.release()
        case .stopStore: try await onThread { [store] in try store.stop() }
        case .startStore: try await onThread { [store] in try store.start() }
        case .widenTopic: openPartitions.widen()
        }
    }
}

/// How many partitions the producers use. The mock cluster can't add partitions to a topic, so they are there from the
/// start, and half of them is left empty for a while: what moves installs from one partition to another is the same.
final class OpenPartitions: Sendable {
    private let all: Int
    private let isWide = Atomic(false)

    init(all: Int) { self.all = all }

    var count: Int { isWide.load(ordering: .relaxed) ? all : max(1, all / 2) }

    func widen() { isWide.store(true, ordering: .relaxed) }
}

/// Runs blocking work outside of the cooperative pool.
func onThread<Value: Sendable>(_ work: @escaping @Sendable () throws -> Value) async throws -> Value {
    try await withCheckedThrowingContinuation { continuation in
        Thread.detachNewThread { continuation.resume(with: Result { try work() }) }
    }
}
