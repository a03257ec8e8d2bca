import Foundation

/// The consumers: starts them, carries out the torments on them, and starts those again that end with an error, as a
/// supervisor does.
actor Fleet {
    private let programs: Programs
    private let workspace: Workspace
    private let arguments: [String]
    private let watchdog: Watchdog
    private var consumers: [Int: ConsumerProcess] = [:]
    // Consumers that have to end.
    private var leaving: [ConsumerProcess] = []
    private var started = 0
    /// The number of consumers that ended because the broker or the store was down, and were started again.
    private(set) var restarts = 0
    /// Descriptions of consumers that ended unexpectedly.
    private(set) var complaints: [String] = []

    init(programs: Programs, workspace: Workspace, broker: String, topics: ChaosTopics, store: String) throws {
        self.programs = programs
        self.workspace = workspace
        arguments = [
            "--config", workspace.file("consumer.yaml"), "--funnels", workspace.file("funnels.yaml"),
            "--bootstrap-servers", broker, "--store", store, "--topic", topics.events, "--dead-letter-topic",
            topics.deadLetters, "--group-id", topics.group,
        ]
        watchdog = try Watchdog()
    }

    /// Starts a consumer in a slot. The consumer that was there before must have ended or be about to end.
    func start(_ place: Int) throws {
        guard consumers[place] == nil else { return }
        consumers[place] = try launch("consumer-\(place)")
    }

    /// Starts a consumer without a group that ends by itself.
    func startRival() throws {
        let rival = try launch("rival", ["--exit-at-end"])
        rival.request = .end
        leaving.append(rival)
    }

    func kill(_ place: Int) { dismiss(place, by: SIGKILL, .die) }

    func retire(_ place: Int) { dismiss(place, by: SIGTERM, .end) }

    func pause(_ place: Int) { consumers[place]?.send(SIGSTOP) }

    func resume(_ place: Int) { consumers[place]?.send(SIGCONT) }

    /// Removes consumers that have ended, and starts those again that ended with an error.
    func supervise() throws {
        for (place, consumer) in consumers where !consumer.isRunning {
            consumers[place] = nil
            try bury(consumer)
            if consumer.gaveUp { restarts += 1 }
            try start(place)
        }
        for consumer in leaving where !consumer.isRunning { try bury(consumer) }
        leaving.removeAll { !$0.isRunning }
    }

    /// Whether all consumers that end by themselves have ended.
    var isSettled: Bool { leaving.isEmpty }

    /// Sends SIGTERM to all consumers, and waits until they have ended.
    func end(within patience: Duration) async throws {
        for place in consumers.keys { retire(place) }
        let deadline = ContinuousClock.now + patience
        while !leaving.isEmpty {
            if ContinuousClock.now > deadline {
                complaints.append("\(leaving.count) consumers did not end within \(patience)")
                leaving.forEach { $0.request = .die }
                leaving.forEach { $0.send(SIGKILL) }
            }
            try await Task.sleep(for: .milliseconds(20))
            try supervise()
        }
    }

    private func dismiss(_ place: Int, by signal: Int32, _ request: ConsumerProcess.Request) {
        guard let consumer = consumers.removeValue(forKey: place) else { return }
        consumer.request = request
        consumer.send(signal)
        leaving.append(consumer)
    }

    private func launch(_ name: String, _ more: [String] = []) throws -> ConsumerProcess {
        started += 1
        let log = workspace.file("\(name)-\(started).log")
        let consumer = try ConsumerProcess(program: programs.consumer, arguments: arguments + more, log: log)
        try watchdog.begin(consumer.pid)
        return consumer
    }

    private func bury(_ consumer: ConsumerProcess) throws {
        try watchdog.end(consumer.pid)
        if let complaint = consumer.complaint { complaints.append("a consumer, pid \(consumer.pid), \(complaint)") }
    }
}
