import Foundation
import FlowProcessTestSupport
import Synchronization

/// A PostgreSQL server of the tests' own, in a directory of its own, reached over a Unix socket there.
///
/// It ends with the process of the tests however that ends, and its directory with it. The binaries are those of
/// `PG_BIN`, or the newest in `/usr/lib/postgresql`, or those in `PATH`.
package final class PostgresServer: Sendable {
    /// One server for all tests of the process that do not stop it.
    package static func shared() throws -> PostgresServer {
        try sharedResult.get()
    }

    private static let sharedResult = Result { try PostgresServer() }

    /// The directory of the socket, and of files that the server is to read.
    package let directory: String
    private let binaries: String
    private let settings: [String]
    private let port: Int
    private let keeper = Mutex<(process: Process, input: Pipe)?>(nil)

    /// Makes a database cluster, and starts it.
    ///
    /// - Parameters:
    ///   - settings: `name=value` each, over those that tests want: no syncing to disk, no TCP.
    ///   - port: names the socket, and is the port of `localhost` where the settings say that it listens.
    ///   - prepare: is called before the start.
    package init(
        settings: [String] = [],
        port: Int = 5432,
        prepare: (PostgresServer) throws -> Void = { _ in }
    ) throws {
        guard let binaries = Self.binaries else { throw PostgresServerFailure(Self.missing) }
        self.binaries = binaries
        self.settings = settings
        self.port = port
        directory = FileManager.default.temporaryDirectory.appendingPathComponent("pg-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
        try giveToServer(directory)
        try run(
            asServer("initdb", "-D", "\(directory)/data", "-U", "funnels", "--auth=trust", "-E", "UTF8", "--locale=C")
                + ["--no-sync"]
        )
        try prepare(self)
        try start()
    }

    deinit {
        keeper.withLock { keeper in
            try? keeper?.input.fileHandleForWriting.close()
            keeper?.process.waitUntilExit()
        }
        try? FileManager.default.removeItem(atPath: directory)
    }

    /// Starts the server, and waits until it answers.
    package func start() throws {
        let options = [
            "fsync=off", "listen_addresses=", "unix_socket_directories=\(directory)", "port=\(port)",
            "max_connections=200",
        ]
        let server = asServer("postgres", "-D", "\(directory)/data") + (options + settings).flatMap { ["-c", $0] }
        // A shell stands between: it sees the end of its input when this process is gone, even killed, and then stops
        // the server at once and removes everything. A line of input stops the server only.
        let script = #"""
            trap : INT; directory=$1; shift; "$@" >>"$directory/log" 2>&1 & server=$!
            read -r line; kill -QUIT $server; wait $server; [ -n "$line" ] || rm -rf "$directory"
            """#
        let process = Process()
        let input = Pipe()
        process.executableURL = URL(fileURLWithPath: "/bin/sh")
        process.arguments = ["-c", script, "sh", directory] + server
        process.standardInput = input
        try withoutBlockedSignals { try process.start() }
        keeper.withLock { $0 = (process, input) }
        try waitUntil("PostgreSQL answers, see \(directory)/log") {
            (try? run(["\(binaries)/pg_isready", "-q", "-h", directory, "-p", "\(port)", "-U", "funnels"])) != nil
        }
    }

    /// Stops the server at once, as a crash would: without a word to its clients.
    package func stop() throws {
        try keeper.withLock { keeper in
            try keeper?.input.fileHandleForWriting.write(contentsOf: Data("stop\n".utf8))
            keeper?.process.waitUntilExit()
            keeper = nil
        }
    }

    /// A URL for the tables of one schema.
    package func url(schema: String, socket: String? = nil) -> String {
        "postgres:///postgres?host=\(socket ?? directory)&port=\(port)&user=funnels&options=-csearch_path%3D\(schema)"
    }

    /// Makes an empty schema, whose name no other test has.
    package func makeSchema() throws -> String {
        let name = "s" + UUID().uuidString.replacingOccurrences(of: "-", with: "").lowercased()
        try sql("CREATE SCHEMA \(name)")
        return name
    }

    /// Runs SQL past the store, and returns what `psql` prints: columns with `|` between, rows on lines.
    @discardableResult
    package func sql(_ statement: String, schema: String = "public") throws -> String {
        let tool = ["\(binaries)/psql", "-XAtq", "-v", "ON_ERROR_STOP=1", "-d", url(schema: schema), "-c", statement]
        return try run(tool).trimmingCharacters(in: .newlines)
    }

    /// Makes a file or directory the server's own, where the tests run as a superuser, which it refuses to be.
    package func giveToServer(_ path: String, mode: Int = 0o700) throws {
        var attributes: [FileAttributeKey: Int] = [.posixPermissions: mode]
        if geteuid() == 0 { (attributes[.ownerAccountID], attributes[.groupOwnerAccountID]) = (65_534, 65_534) }
        try FileManager.default.setAttributes(attributes, ofItemAtPath: path)
    }

    private func asServer(_ tool: String, _ arguments: String...) -> [String] {
        let other = ["/usr/bin/env", "setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"]
        return (geteuid() == 0 ? other : []) + ["\(binaries)/\(tool)"] + arguments
    }
}

extension PostgresServer {
    /// Whether there are binaries. Where they have to be, in CI on Linux, the tests fail instead of being skipped.
    package static var isAvailable: Bool {
        #if os(Linux)
        binaries != nil || ProcessInfo.processInfo.environment["CI"] != nil
        #else
        binaries != nil
        #endif
    }

    /// Why tests are skipped.
    package static let missing =
        "PostgreSQL is not installed: install the package postgresql, or set PG_BIN to the directory of its binaries"

    private static let binaries: String? = {
        let files = FileManager.default
        let versions = (try? files.contentsOfDirectory(atPath: "/usr/lib/postgresql")) ?? []
        let newestFirst = versions.sorted { $0.compare($1, options: .numeric) == .orderedDescending }
        let environment = ProcessInfo.processInfo.environment
        let places =
            [environment["PG_BIN"]].compactMap(\.self) + newestFirst.map { "/usr/lib/postgresql/\($0)/bin" }
            + (environment["PATH"] ?? "").split(separator: ":").map(String.init)
        return places.first { place in
            ["initdb", "postgres", "psql", "pg_isready"].allSatisfy { files.isExecutableFile(atPath: "\(place)/\($0)") }
        }
    }()
}

/// What a server for tests could not do.
package struct PostgresServerFailure: Error, CustomStringConvertible {
    package let description: String

    package init(_ description: String) {
        self.description = description
    }
}
