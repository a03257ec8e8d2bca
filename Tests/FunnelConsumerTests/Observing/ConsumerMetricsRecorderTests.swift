import FlowEventTestSupport
import Dispatch
import FlowEvents
import FlowTestSupport
import FunnelStore
import FunnelStoreTestSupport
import Funnels
import KafkaTestSupport
import Logging
import Metrics
import PrometheusMetrics
import Synchronization
import Testing

@testable import FunnelConsumer

@Suite(.waits, .timeLimit(.minutes(10))) struct ConsumerMetricsRecorderTests {
    private let registry = PrometheusRegistry(help: FunnelConsumerMetrics.help)

    @Test func `what is committed is counted by its outcome`() {
        let metrics = ConsumerMetricsRecorder(factory: registry)
        let quality = Quality(events: 10, duplicates: 2, late: 3, deadLetters: 1)
        let advance = PartitionAdvance(
            partition: 0,
            expectedOffset: nil,
            nextOffset: 11,
            watermark: nil,
            quality: quality
        )
        metrics.recordCommitted([advance])
        metrics.recordCommitted([advance])
        let page = registry.page()
        #expect(page.contains("funnel_consumer_events_total{outcome=\"accepted\"} 10\n"))
        #expect(page.contains("funnel_consumer_events_total{outcome=\"duplicate\"} 4\n"))
        #expect(page.contains("funnel_consumer_events_total{outcome=\"late\"} 6\n"))
        #expect(page.contains("funnel_consumer_events_total{outcome=\"dead_letter\"} 2\n"))
        #expect(page.contains("funnel_consumer_commits_total{outcome=\"committed\"} 2\n"))
        #expect(page.contains("# HELP funnel_consumer_events_total "))
    }

    @Test func `a commit says what it counted, how long it took and how many installs are at hand`() throws {
        let funnels = try homeToPaywall()
        let store = TemporaryStore()
        _ = try store.open(StoreIdentity(clusterID: "c", topic: "t", funnels: funnels))
        var intake = RecordIntake(funnels: funnels, allowedLateness: 0)
        intake.assign(0, stored: nil)
        let value = try screenView("home", "a", second: 0).encoded()
        for offset in 0..<2 {
            value.withUnsafeBytes { _ = intake.take($0, timestamp: nil, partition: 0, offset: Int64(offset)) }
        }
        let metrics = ConsumerMetricsRecorder(factory: registry)
        var committer = Committer(store: store, funnels: funnels, isNew: true, metrics: metrics)
        #expect(try committer.commit(intake.takeInterval(), intake.takeAdvances()) == nil)
        let page = registry.page()
        #expect(page.contains("funnel_consumer_events_total{outcome=\"accepted\"} 1\n"))
        #expect(page.contains("funnel_consumer_events_total{outcome=\"duplicate\"} 1\n"))
        #expect(page.contains("funnel_consumer_commit_duration_seconds_count 1\n"))
        #expect(page.contains("funnel_consumer_cached_installs 1\n"))
    }
}

@Suite(.waits, .timeLimit(.minutes(10))) struct ReadinessTests {
    @Test func `a consumer is ready when partitions are assigned and the store answers`() async throws {
        let cluster = try Cluster()
        let options = try cluster.options(homeToPaywall(), exitsAtEnd: false)
        let consumer = FunnelConsumer(options: options, store: TemporaryStore(), logger: silent)
        #expect(await consumer.reasonNotReady()?.contains("starting") == true)
        let running = Task { try await consumer.run() }
        try await until("it is ready") { await consumer.reasonNotReady() == nil }
        consumer.stop()
        try await running.value
    }

    @Test(arguments: [nil, "the store may only be read"])
    func `a start names what it waits for: the store, and what is wrong with it`(outage: String?) async throws {
        let cluster = try Cluster()
        let gate = DispatchSemaphore(value: 0)
        let isOpening = DispatchSemaphore(value: 0)
        var store = ProbedStore(outage: outage.map(StoreError.unavailable)) {}
        store.onOpen = {
            isOpening.signal()
            gate.wait()
        }
        let options = try cluster.options(homeToPaywall(), exitsAtEnd: false)
        let consumer = FunnelConsumer(options: options, store: store, logger: silent)
        let running = Task { try await consumer.run() }
        #expect(try await onThread { isOpening.wait(timeout: .now() + 60) } == .success)
        #expect(await consumer.reasonNotReady() == outage ?? "starting: the store is not open yet")
        consumer.stop()
        gate.signal()
        try await running.value
    }

    @Test func `a start names what it waits for: Kafka, and its error`() async throws {
        let cluster = try Cluster()
        try cluster.broker.cutOff()
        let options = try cluster.options(homeToPaywall(), exitsAtEnd: false)
        let consumer = FunnelConsumer(options: options, store: TemporaryStore(), logger: silent)
        let running = Task { try await consumer.run() }
        try await until("the reason has an error") {
            await consumer.reasonNotReady()?.contains("starting: Kafka has not answered yet (") == true
        }
        consumer.stop()
        try await running.value
    }

    @Test func `a shutdown that takes too long names the store's error, not Kafka`() {
        let outage = StoreError.unavailable("the store may only be read")
        for wait in [ConsumerReadiness.Wait.opening, .store, .records] {
            let text = FunnelConsumerError.shutdownTimedOut(.seconds(2), waitingFor: wait, outage: outage).description
            #expect(text.contains("2.0 seconds after the signal: the store may only be read"))
            #expect(!text.contains("Kafka") && text.contains("nothing is lost"))
        }
        let start = FunnelConsumerError.shutdownTimedOut(.seconds(2), waitingFor: .firstAnswer, outage: nil).description
        #expect(start.contains("Kafka does not answer") && !start.contains("the store does not"))
    }

    @Test func `a store that fails or hangs is not ready`() async throws {
        let failing = StoreProbe(store: ProbedStore { () throws(StoreError) in throw .unavailable("the disk is gone") })
        #expect(await failing.failure() == "the disk is gone")
        let gate = DispatchSemaphore(value: 0)
        let hanging = StoreProbe(store: ProbedStore { gate.wait() }, limit: .milliseconds(50))
        async let second = hanging.failure()
        #expect(await hanging.failure()?.contains("not answered") == true)
        #expect(await second?.contains("not answered") == true)
        gate.signal()
        gate.signal()
        let answering = StoreProbe(store: ProbedStore {})
        #expect(await answering.failure() == nil)
    }

    @Test func `an outage that the store knows of is answered at once, and the store is asked again all the same`()
        async throws
    {
        let asked = DispatchSemaphore(value: 0)
        let store = ProbedStore(outage: .unavailable("the store may only be read")) { asked.signal() }
        #expect(await StoreProbe(store: store, limit: .seconds(600)).failure() == "the store may only be read")
        #expect(try await onThread { asked.wait(timeout: .now() + 60) } == .success)
    }
}

/// A store of which only the progress is asked.
private struct ProbedStore: FunnelStore {
    let outage: StoreError?
    let onProgress: @Sendable () throws(StoreError) -> Void
    var onOpen: @Sendable () -> Void = {}

    init(outage: StoreError? = nil, _ onProgress: @escaping @Sendable () throws(StoreError) -> Void) {
        self.outage = outage
        self.onProgress = onProgress
    }

    func progress() throws(StoreError) -> [PartitionProgress] {
        try onProgress()
        return []
    }

    func open(_ identity: StoreIdentity) -> [PartitionProgress] {
        onOpen()
        return []
    }

    func installs(_ installs: [[UInt8]], history: HistoryPart) -> [StoredInstall] { [] }
    func commit(_ commit: StoreCommit) -> CommitOutcome { .committed }
    func horizon() -> Timestamp? { nil }
    func raiseHorizon(_ facts: TopicSettings) -> Timestamp? { nil }
    func takeRebuiltFunnels() -> RebuiltFunnels? { nil }
    func close() {}
}
