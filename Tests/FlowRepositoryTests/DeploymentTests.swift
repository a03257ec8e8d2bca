import FunnelConsumerConfiguration
import EventCollector
import Foundation
import FunnelReportServer
import FunnelServiceSupport
import Testing
import Yams

/// The files that only a machine with a container engine can run, held against the programs that they start.
@Suite struct DeploymentTests {
    private static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    private static func read(_ path: String) throws -> String {
        try String(contentsOf: root.appending(path: path), encoding: .utf8)
    }

    private static func compose() throws -> Node {
        try #require(try Yams.compose(yaml: read("docker-compose.yml")))
    }

    @Test func `the broker is a pinned image that keeps its log on a volume and tells whether it is healthy`() throws {
        let compose = try Self.compose()
        let kafka = try #require(compose["services"]?["kafka"])
        let image = try #require(kafka["image"]?.string)
        #expect(image.wholeMatch(of: /apache\/kafka:\d+\.\d+\.\d+/) != nil)
        let environment = try #require(kafka["environment"])
        let folder = try #require(environment["KAFKA_LOG_DIRS"]?.string)
        let volumes = try #require(kafka["volumes"]?.array()).compactMap(\.string)
        #expect(volumes.contains { $0.hasSuffix(":\(folder)") })
        #expect(kafka["healthcheck"]?["test"] != nil)
        // Every listener that is announced has to be one that is opened, and to have a protocol.
        let opened = Set(Self.listeners(environment["KAFKA_LISTENERS"]?.string))
        let announced = Set(Self.listeners(environment["KAFKA_ADVERTISED_LISTENERS"]?.string))
        let controller = try #require(environment["KAFKA_CONTROLLER_LISTENER_NAMES"]?.string)
        #expect(announced.union([controller]) == opened)
        let protocols = try #require(environment["KAFKA_LISTENER_SECURITY_PROTOCOL_MAP"]?.string)
        #expect(
            Set(protocols.split(separator: ",").compactMap { $0.split(separator: ":").first.map(String.init) })
                == opened
        )
    }

    @Test func `CI has each variable without which compose does not start`() throws {
        let required = try Self.read("docker-compose.yml").matches(of: /\$\{([A-Z_]+):\?/).map { String($0.1) }
        #expect(!required.isEmpty)
        let workflow = try #require(try Yams.compose(yaml: Self.read(".github/workflows/ci.yml")))
        let environment = try #require(workflow["jobs"]?["image"]?["env"]?.mapping)
        for name in Set(required) { #expect(environment[Node(name)] != nil, "\(name)") }
    }

    @Test func `CI runs each suite that needs a real broker`() throws {
        let folder = Self.root.appending(path: "Tests/FunnelConsumerTests/ApacheKafka").path
        let suites = try FileManager.default.contentsOfDirectory(atPath: folder).filter { $0.hasSuffix("Tests.swift") }
        #expect(!suites.isEmpty)
        let workflow = try #require(try Yams.compose(yaml: Self.read(".github/workflows/ci.yml")))
        let steps = try #require(workflow["jobs"]?["kafka"]?["steps"]?.array()).compactMap { $0["run"]?.string }
        let test = try #require(steps.first { $0.hasPrefix("scripts/test") })
        for suite in suites { #expect(test.contains(suite.dropLast(".swift".count)), "\(suite)") }
    }

    private static func listeners(_ text: String?) -> [String] {
        (text ?? "").split(separator: ",").compactMap { $0.split(separator: ":").first.map(String.init) }
    }

    @Test func `the topics have several partitions and the broker's clock`() throws {
        let compose = try Self.compose()
        let command = try #require(compose["services"]?["topics"]?["command"]?[0]?.string)
        let creations = command.replacing("\\\n", with: " ").split(separator: "\n").filter { $0.contains("--create") }
        let events = try #require(creations.first { $0.contains("--topic app-events ") })
        #expect(events.contains("--config message.timestamp.type=LogAppendTime"))
        let partitions = try #require(events.firstMatch(of: /--partitions (\d+)/)).1
        #expect(try #require(Int(partitions)) > 1)
        let deadLetters = try #require(creations.first { $0.contains("--topic app-events.dlq ") })
        #expect(deadLetters.contains("--config message.timestamp.type=LogAppendTime"))
        // The largest event with what Kafka adds to it, and the same as a dead letter with its headers.
        func limit(_ creation: Substring) throws -> Int {
            let bytes = try #require(creation.firstMatch(of: /max\.message\.bytes=(\d+)/)).1
            return try #require(Int(bytes))
        }
        #expect(try limit(events) >= 2_097_152)
        #expect(try limit(deadLetters) > limit(events))
    }

    @Test func `PostgreSQL is a pinned image that keeps its data on a volume, and no password is in the file`() throws {
        let postgres = try #require(try Self.compose()["services"]?["postgres"])
        let image = try #require(postgres["image"]?.string)
        let version = try #require(image.wholeMatch(of: /postgres:(\d+)\.\d+-[a-z]+/)?.1)
        // The place of the data has changed with version 18.
        #expect(try #require(Int(version)) >= 18)
        #expect(postgres["volumes"]?.array().compactMap(\.string) == ["postgres-data:/var/lib/postgresql"])
        let environment = try #require(postgres["environment"])
        let user = try #require(environment["POSTGRES_USER"]?.string)
        let database = try #require(environment["POSTGRES_DB"]?.string)
        let check = try #require(postgres["healthcheck"]?["test"]?.array()).compactMap(\.string)
        #expect(check.prefix(2) == ["CMD", "pg_isready"])
        #expect(check.contains("--username=\(user)") && check.contains("--dbname=\(database)"))
        // Nobody outside reaches it.
        #expect(postgres["ports"] == nil)
        let secret = try #require(environment["POSTGRES_PASSWORD"]?.string)
        #expect(secret.hasPrefix("${POSTGRES_PASSWORD:?"))
        let consumer = try #require(try Self.compose()["services"]?["consumer"]?["environment"])
        #expect(consumer["PGPASSWORD"]?.string == secret)
        #expect(consumer["STORE_URL"]?.string == "postgres://\(user)@postgres/\(database)")
        for name in [".env", "config/consumer.yaml", "config/collector.yaml"] {
            #expect(try Self.read(".gitignore").split(separator: "\n").contains(Substring(name)))
        }
    }

    @Test func `two consumers are told only settings that they know, and find the broker and the store`() throws {
        let compose = try Self.compose()
        let consumer = try #require(compose["services"]?["consumer"])
        #expect(consumer["deploy"]?["replicas"]?.int == 2)
        var environment: [String: String] = [:]
        for (key, value) in try #require(consumer["environment"]?.mapping) {
            environment[try #require(key.string)] = value.string
        }
        // libpq's, not ours.
        environment["PGPASSWORD"] = nil
        let layer = try ConsumerLayer(environment: environment)
        // A name that the program does not know would change nothing there.
        for name in environment.keys {
            var without = environment
            without[name] = nil
            #expect(try ConsumerLayer(environment: without) != layer, "\(name)")
        }
        #expect(layer.bootstrapServers == "kafka:19092")
        let announced = try #require(
            compose["services"]?["kafka"]?["environment"]?["KAFKA_ADVERTISED_LISTENERS"]?.string
        )
        #expect(announced.contains("PLAINTEXT://kafka:19092"))
        guard case .postgres = layer.store else {
            Issue.record("the store of two consumers is not PostgreSQL")
            return
        }
        let port = try #require(layer.metricsPort)
        let check = try #require(consumer["healthcheck"]?["test"]?.array()).compactMap(\.string)
        #expect(check.prefix(3) == ["CMD", "bash", "-c"])
        #expect(check.last?.contains("/dev/tcp/127.0.0.1/\(port) ") == true && check.last?.contains("/readyz") == true)
        // The consumer ends by itself before it is killed.
        let settings = try ConsumerSettings(layers: [layer])
        let grace = try #require(consumer["stop_grace_period"]?.string?.wholeMatch(of: /(\d+)s/)?.1)
        let seconds = try #require(Int(grace))
        #expect(settings.shutdownTimeout + .seconds(5) <= .seconds(seconds))
    }

    @Test func `the image keeps a store of its own on its volume`() throws {
        let dockerfile = try Self.read("Dockerfile")
        let url = try #require(dockerfile.firstMatch(of: /ENV STORE_URL=(\S+)/)).1
        guard case .sqlite(let path) = try StoreURL(String(url)) else {
            Issue.record("the image's own store is not SQLite")
            return
        }
        #expect(dockerfile.contains("VOLUME \((path as NSString).deletingLastPathComponent)\n"))
    }

    @Test func `the image's health check probes the store and makes no report`() throws {
        let dockerfile = try Self.read("Dockerfile").replacing("\\\n", with: " ")
        let check = try #require(dockerfile.firstMatch(of: /\nHEALTHCHECK .*CMD \["funnel-report", "--([a-z]+)"\]\n/))
        let command = try Self.read("Sources/Commands/funnel-report/FunnelReportCommand.swift")
        #expect(command.contains("var \(check.1) = false"))
    }

    @Test func `the image has every program that a service starts, and each waits for what it needs`() throws {
        let services = try #require(try Self.compose()["services"]?.mapping)
        let dockerfile = try Self.read("Dockerfile")
        let package = try Self.read("Package.swift")
        let installed = dockerfile.matches(of: /show-bin-path\)\/([a-z-]+)"/).map { String($0.1) }
        #expect(Set(installed) == ["funnel-consumer", "funnel-report", "event-collector"])
        for program in installed {
            #expect(dockerfile.firstMatch(of: /for product in ([a-z -]+);/)?.1.contains(program) == true)
            #expect(package.contains(".executable(name: \"\(program)\""))
        }
        for (name, service) in services where service["build"] != nil {
            let program = service["entrypoint"]?[0]?.string ?? "funnel-consumer"
            #expect(installed.contains(program), "\(name.string ?? "")")
            #expect(service["healthcheck"]?["test"] != nil, "\(name.string ?? "")")
            let conditions = try #require(service["depends_on"]?.mapping)
            // The report needs no Kafka, only a store that a consumer has made.
            guard program != "funnel-report" else {
                #expect(conditions["consumer"]?["condition"]?.string == "service_healthy")
                continue
            }
            #expect(conditions["kafka"]?["condition"]?.string == "service_healthy")
            #expect(conditions["topics"]?["condition"]?.string == "service_completed_successfully")
        }
        #expect(services["consumer"]?["depends_on"]?["postgres"]?["condition"]?.string == "service_healthy")
        // Who is waited for as healthy has to be able to say so.
        for (name, service) in services {
            for (dependency, wish) in service["depends_on"]?.mapping ?? [:]
            where wish["condition"]?.string == "service_healthy" {
                #expect(services[dependency]?["healthcheck"]?["test"] != nil, "\(name.string ?? "")")
            }
        }
    }

    @Test func `the collector is told only settings that it knows, and is reached from this machine only`() throws {
        let collector = try #require(try Self.compose()["services"]?["collector"])
        let names = try #require(collector["environment"]?.mapping?.keys.compactMap(\.string))
        #expect(Set(names).isSubset(of: ["COLLECTOR_LISTEN", "KAFKA_BOOTSTRAP_SERVERS", "KAFKA_TOPIC"]))
        var environment: [String: String] = [:]
        for name in names { environment[name] = collector["environment"]?[name]?.string }
        var settings = CollectorSettings()
        try settings.apply(environment: environment)
        #expect(settings.bootstrapServers == "kafka:19092")
        #expect(settings.address.host == "0.0.0.0")
        let port = settings.address.port
        #expect(collector["ports"]?.array().compactMap(\.string) == ["127.0.0.1:\(port):\(port)"])
        let program = try #require(collector["entrypoint"]?[0]?.string)
        #expect(try Self.read("Dockerfile").contains("/\(program)\""))
        #expect(try Self.read("Package.swift").contains(".executable(name: \"\(program)\""))
    }

    @Test func `the report has a password, is reached from this machine only, and reads the consumers' store`() throws {
        let compose = try Self.compose()
        let report = try #require(compose["services"]?["report"])
        let arguments = try #require(report["entrypoint"]?.array()).compactMap(\.string)
        #expect(arguments.prefix(3) == ["funnel-report", "serve", "--listen"])
        let address = try #require(arguments.last.flatMap { ListenAddress($0) })
        #expect(!address.isLoopback)
        #expect(throws: MissingPassword(address: address)) { try ReportServerSettings(address: address) }
        let port = address.port
        #expect(report["ports"]?.array().compactMap(\.string) == ["127.0.0.1:\(port):\(port)"])
        let environment = try #require(report["environment"])
        #expect(environment["REPORT_PASSWORD"]?.string?.hasPrefix("${REPORT_PASSWORD:?") == true)
        for name in ["STORE_URL", "PGPASSWORD"] {
            #expect(environment[name]?.string == compose["services"]?["consumer"]?["environment"]?[name]?.string)
        }
        let check = try #require(report["healthcheck"]?["test"]?.array()).compactMap(\.string)
        #expect(check.last?.contains("/dev/tcp/127.0.0.1/\(port) ") == true && check.last?.contains("/readyz") == true)
        // It answers the current requests before it is killed.
        let settings = try ReportServerSettings(address: address, password: "x")
        let grace = try #require(report["stop_grace_period"]?.string?.wholeMatch(of: /(\d+)s/)?.1)
        let seconds = try #require(Int(grace))
        #expect(settings.limits.patience + .seconds(5) <= .seconds(seconds))
    }

    @Test func `no service can gain rights or take all memory, and the file systems of our own are read-only`() throws {
        let services = try #require(try Self.compose()["services"]?.mapping)
        for (name, service) in services {
            let name = name.string ?? ""
            #expect(service["security_opt"]?.array().compactMap(\.string) == ["no-new-privileges:true"], "\(name)")
            let memory = service["deploy"]?["resources"]?["limits"]?["memory"]?.string
            #expect(memory?.wholeMatch(of: /\d+[MG]/) != nil, "\(name)")
            #expect(service["privileged"] == nil && service["cap_add"] == nil, "\(name)")
            // Kafka's image writes its configuration at its start.
            guard service["image"]?.string?.hasPrefix("apache/kafka:") == false else { continue }
            #expect(service["read_only"]?.bool == true, "\(name)")
            #expect(service["tmpfs"]?.array().compactMap(\.string).contains("/tmp") == true, "\(name)")
            guard service["build"] != nil else { continue }
            #expect(service["cap_drop"]?.array().compactMap(\.string) == ["ALL"], "\(name)")
        }
    }

    @Test func `only the collector sees its keys`() throws {
        let compose = try Self.compose()
        let secret = try #require(compose["secrets"]?["collector.yaml"]?["file"]?.string)
        #expect(secret == "./\(CollectorFile.standardPath)")
        for (name, service) in try #require(compose["services"]?.mapping) {
            let isCollector = name.string == "collector"
            #expect(service["secrets"]?.array().compactMap(\.string) == (isCollector ? ["collector.yaml"] : nil))
            for volume in service["volumes"]?.array().compactMap(\.string) ?? [] {
                let source = volume.prefix { $0 != ":" }
                #expect(!secret.hasPrefix(source), "\(name.string ?? "") sees \(source)")
            }
        }
        let arguments = compose["services"]?["collector"]?["entrypoint"]?.array().compactMap(\.string) ?? []
        #expect(arguments == ["event-collector", "--config", "/run/secrets/collector.yaml"])
    }

    @Test func `every volume and every dependency that is named is there`() throws {
        let compose = try Self.compose()
        let services = try #require(compose["services"]?.mapping)
        let declared = Set(try #require(compose["volumes"]?.mapping).keys.compactMap(\.string))
        for (name, service) in services {
            for volume in service["volumes"]?.array().compactMap(\.string) ?? [] where !volume.hasPrefix(".") {
                #expect(declared.contains(String(volume.prefix { $0 != ":" })), "\(name.string ?? "")")
            }
            for dependency in service["depends_on"]?.mapping?.keys.compactMap(\.string) ?? [] {
                #expect(services.keys.contains { $0.string == dependency })
            }
        }
    }

    @Test func `the image is built from pinned images, links Swift in, and does not run as root`() throws {
        let dockerfile = try Self.read("Dockerfile")
        let stages = dockerfile.split(separator: "\n").filter { $0.hasPrefix("FROM ") }
        #expect(stages.count == 2)
        #expect(stages.allSatisfy { $0.contains(":") && !$0.contains(":latest") })
        #expect(dockerfile.contains("--static-swift-stdlib"))
        #expect(dockerfile.contains("\nUSER funnels\n"))
        // A target's folder that the build does not get would stop it.
        let ignored = try Self.read(".dockerignore")
        let shelves = try Self.read("Package.swift").matches(of: /shelf\(\s*"([A-Za-z]+)/)
        #expect(shelves.count > 3)
        for match in shelves {
            #expect(ignored.contains("!\(match.1)"))
        }
    }
}
