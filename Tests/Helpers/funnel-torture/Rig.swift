import Foundation
import RDKafka
import KafkaTestSupport
import FunnelTortureSupport

/// The parts of a run: phones with apps, their network, the collector and the broker. It injects the faults.
actor Rig {
    static let partitions = 24

    private struct Slot {
        var phone: Int
        var app: ChildProcess
        var helper: ChildProcess?
    }

    /// The topic of the events.
    nonisolated let topic: String
    private let kafka: TrialKafka
    private let networks: [PhoneNetwork]
    private let disks: PhoneDisks
    private let folder: URL
    private let pace: Int
    private let phonesPerSlot: Int
    private var slots: [Slot] = []
    private var collector: ChildProcess?
    private var collectorStarts = 0
    private var usedPhones: Set<Int> = []
    private var isCrashing = false
    /// How often the broker of a real cluster crashed.
    private(set) var crashCount = 0

    init(
        folder: URL,
        kafka: TrialKafka,
        topic: String,
        networks: [PhoneNetwork],
        disks: PhoneDisks,
        phonesPerSlot: Int,
        pace: Int
    ) throws {
        self.folder = folder
        self.kafka = kafka
        self.topic = topic
        self.networks = networks
        self.disks = disks
        self.phonesPerSlot = phonesPerSlot
        self.pace = pace
        try FileManager.default.createDirectory(at: journals, withIntermediateDirectories: true)
        try Self.configuration(kafka, topic).write(to: configurationFile, atomically: true, encoding: .utf8)
    }

    /// The folder of the journals.
    nonisolated var journals: URL { folder.appending(path: "journals") }

    private nonisolated var configurationFile: URL { folder.appending(path: "collector.yaml") }

    private static func configuration(_ kafka: TrialKafka, _ topic: String) -> String {
        """
        listen: 127.0.0.1:0
        bootstrap_servers: \(kafka.bootstrapServers)
        topic: \(topic)
        keys:
          - {name: torture, secret: torture-torture-torture, sources: ["app://torture"]}
        timeouts:
          publish: 2s
        kafka:
          reconnect.backoff.ms: 20
          reconnect.backoff.max.ms: 200

        """
    }

    /// Starts the collector and the first app of each slot.
    func start(_ launches: [Launch]) async throws {
        try await startCollector()
        for launch in launches { slots.append(Slot(phone: launch.phone, app: try app(launch))) }
    }

    /// Injects a fault, and returns when it is over.
    func perform(_ fault: Fault) async throws {
        switch fault {
        case .killApp(let slot, let length, let next):
            await slots[slot].app.kill()
            try await Task.sleep(for: length)
            slots[slot].app = try app(next)
            slots[slot].phone = next.phone
        case .runExtension(let slot, let length, var launch):
            launch.phone = slots[slot].phone
            let helper = try app(launch)
            slots[slot].helper = helper
            try await Task.sleep(for: length)
            await helper.kill()
        case .cutNetwork(let slot, let length, let trouble):
            networks[slot].setTrouble(trouble)
            try await Task.sleep(for: length)
            networks[slot].setTrouble(nil)
        case .fillDisk(let slot, let length):
            try await fillDisk(of: slot, for: length)
        case .moveClock(let slot, let milliseconds):
            await slots[slot].app.tell("clock \(milliseconds)")
        case .killCollector(let length):
            let killed = collector
            collector = nil
            for network in networks { network.connect(to: nil) }
            await killed?.kill()
            try await Task.sleep(for: length)
            try await startCollector()
        case .stopBroker(let length):
            guard let broker = kafka.embedded else { return try await crashBroker() }
            try broker.cutOff()
            try await Task.sleep(for: length)
            try broker.bringUp()
        }
    }

    /// A real broker needs seconds to start again. A crash in this time is the same crash.
    private func crashBroker() async throws {
        guard kafka.canCrash, !isCrashing else { return }
        isCrashing = true
        defer { isCrashing = false }
        try await kafka.crash()
        crashCount += 1
    }

    private func fillDisk(of slot: Int, for length: Duration) async throws {
        let phone = slots[slot].phone
        let processes = [slots[slot].app, slots[slot].helper].compactMap { $0 }
        if disks.areMounted {
            disks.fill(phone)
        } else {
            for process in processes { await process.tell("full") }
        }
        try await Task.sleep(for: length)
        disks.free(phone)
        if !disks.areMounted { for process in processes { await process.tell("free") } }
    }

    private func app(_ launch: Launch, finishing: Bool = false) throws -> ChildProcess {
        usedPhones.insert(launch.phone)
        let network = networks[launch.phone / phonesPerSlot]
        // Every second phone has room for a few seconds of events, so that its queue drops the oldest.
        let isTight = !launch.phone.isMultiple(of: 2)
        let arguments = [
            "--phone", "\(launch.phone)", "--folder", disks.queue(of: launch.phone).path, "--journal", journals.path,
            "--url", "http://127.0.0.1:\(network.port)/v1/events", "--write-key", "torture-torture-torture", "--seed",
            "\(launch.seed)", "--clock-offset", "\(launch.clockOffset)", "--pace", "\(pace)", "--queue-bytes",
            isTight ? "60000" : "16000000",
        ]
        return try ChildProcess(
            "funnel-torture-app",
            arguments + (launch.followsWallClock ? ["--wall-clock"] : []) + (finishing ? ["--finish"] : []),
            log: folder.appending(path: "phone-\(launch.phone).log")
        )
    }

    private func startCollector() async throws {
        collectorStarts += 1
        // One log per start: the collector writes its port there.
        let log = folder.appending(path: "collector-\(collectorStarts).log")
        let started = try ChildProcess("event-collector", ["--config", configurationFile.path], log: log)
        collector = started
        let deadline = ContinuousClock.now + .seconds(60)
        while collector === started {
            let text = (try? String(contentsOf: log, encoding: .utf8)) ?? ""
            let match = text.firstMatch(of: /listening on 127\.0\.0\.1:(\d+)/)
            if let port = match.flatMap({ Int($0.1) }) {
                for network in networks { network.connect(to: port) }
                return
            }
            guard ContinuousClock.now < deadline, await started.isRunning || collector !== started else {
                throw TortureFailure("event-collector does not start; see \(log.path)")
            }
            try await Task.sleep(for: .milliseconds(10))
        }
        // A fault killed the collector again before it was up; that fault also starts the next one.
    }

    /// Kills the apps with SIGKILL, then lets every phone that ever ran deliver its queue.
    func finish(within limit: Duration) async throws {
        for slot in slots {
            await slot.app.kill()
            await slot.helper?.kill()
        }
        let phones = usedPhones.sorted()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for (index, phone) in phones.enumerated() {
                // A few at a time: this tests delivery, not the load of the machine.
                if index >= networks.count { try await group.next() }
                group.addTask {
                    let last = try await self.app(Launch(phone: phone, seed: 0), finishing: true)
                    try await last.end(within: limit)
                }
            }
            try await group.waitForAll()
        }
    }

    /// Ends all processes.
    func stop() async {
        for slot in slots {
            await slot.app.kill()
            await slot.helper?.kill()
        }
        await collector?.kill()
    }
}
