import Foundation
import FlowProcessTestSupport
import Synchronization

/// A PostgreSQL server for tests, with a temporary directory and a Unix socket in it.
///
/// The server and its directory are removed when the process of the tests ends, also after a crash. The binaries are
/// those in `PG_BIN`, the newest in `/usr/lib/postgresql`, or those in `PATH`.
package final class PostgresServer: Sendable {
    /// The server that is shared by all tests that do not stop it.
    package static func shared() throws -> PostgresServer {
        try sharedResult.get()
    }

    private static let sharedResult = Result { try PostgresServer() }

    /// The directory of the socket, and of files that the server reads.
    package let directory: String
    private let binaries: String
    private let settings: [String]
    private let port: Int
    private let keeper = Mutex<(process: Process, input: Pipe)?>(nil)

    /// Creates a database cluster, and starts the server.
    ///
    /// - Parameters:
    ///   - settings: settings as `name=value`. They override the tests' own: no syncing to disk, no TCP.
    ///   - port: the port in the socket's name, and on `localhost` if the settings let the server listen there.
    ///   - prepare: is called before the server starts.
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
        // A shell runs the server. When this process ends, even if it is killed, the shell's input ends; the shell then
        // stops the server at once and removes the directory. A line of input only stops the server.
        let script = #"""
            trap : INT; directory=$1; shift; "$@" >>"$directory/log" 2>&1 & server=$!
            read -r line; kill -QUIT $server; wait $server; [ -n "$line" ] || rm -rf "$directory"
            """#
        let process = Process()
        let input = Pipe.notInherited()
        process.executableURL = URL(fileURLWithPath: "/bin/sh")
        process.arguments = ["-c", script, "sh", directory] + server
        process.standardInput = input
        try withoutBlockedSignals { try process.start() }
        keeper.withLock { $0 = (process, input) }
        try waitUntil("PostgreSQL answers, see \(directory)/log") {
            answers(host: directory, port: port)
        }
    }

    /// Whether a server or a pooler takes connections on a socket in a folder.
    package func answers(host: String, port: Int) -> Bool {
        (try? run(["\(binaries)/pg_isready", "-q", "-h", host, "-p", "\(port)", "-U", "funnels"])) != nil
    }

    /// Stops the server at once, like a crash, without a message to its clients.
    package func stop() throws {
        try keeper.withLock { keeper in
            try keeper?.input.fileHandleForWriting.write(contentsOf: Data("stop\n".utf8))
            keeper?.process.waitUntilExit()
            keeper = nil
        }
    }

    /// Returns a URL for the tables of one schema.
    package func url(schema: String, socket: String? = nil) -> String {
        "postgres:///postgres?host=\(socket ?? directory)&port=\(port)&user=funnels&options=-csearch_path%3D\(schema)"
    }

    /// Creates an empty schema with a unique name.
    package func makeSchema() throws -> String {
        let name = "s" + UUID().uuidString.replacingOccurrences(of: "-", with: "").lowercased()
        try sql("CREATE SCHEMA \(name)")
        return name
    }

    /// Runs SQL without the store, and returns the output of `psql`: one line per row, with `|` between the columns.
    @discardableResult
    package func sql(_ statement: String, schema: String = "public") throws -> String {
        let tool = ["\(binaries)/psql", "-XAtq", "-v", "ON_ERROR_STOP=1", "-d", url(schema: schema), "-c", statement]
        return try run(tool).trimmingCharacters(in: .newlines)
    }

    /// Gives a file or directory to the server's user. That is another user if the tests run as a superuser, because
    /// PostgreSQL refuses to run as one.
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
    /// Whether PostgreSQL is installed. Always true in CI on Linux, so that the tests fail there instead of being
    /// skipped.
    package static var isAvailable: Bool {
        #if os(Linux)
        binaries != nil || ProcessInfo.processInfo.environment["CI"] != nil
        #else
        binaries != nil
        #endif
    }

    /// The reason for skipped tests.
    package static let missing =
        "PostgreSQL is not installed: install the package postgresql, or set PG_BIN to the directory of its binaries"

    private static let binaries: String? = {
        let files = FileManager.default
        let versions = (try? files.contentsOfDirectory(atPath: "/usr/lib/postgresql")) ?? []
        let newestFirst = versions.sorted { $0.compare($1, options: .numeric) == .orderedDescending }
        let environment = ProcessInfo.processInfo.environment
        let directories =
            [environment["PG_BIN"]].compactMap(\.self) + newestFirst.map { "/usr/lib/postgresql/\($0)/bin" }
            + (environment["PATH"] ?? "").split(separator: ":").map(String.init)
        return directories.first { directory in
            ["initdb", "postgres", "psql", "pg_isready"].allSatisfy {
                files.isExecutableFile(atPath: "\(directory)/\($0)")
            }
        }
    }()
}

/// An error of a server for tests.
package struct PostgresServerFailure: Error, CustomStringConvertible {
    package let description: String

    package init(_ description: String) {
        self.description = description
    }
}
