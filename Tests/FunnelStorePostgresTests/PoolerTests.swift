import FlowProcessTestSupport
import FlowTestSupport
import Foundation
import FunnelPostgresTestSupport
import FunnelStore
import FunnelStorePostgres
import FunnelStoreTestSupport
import Funnels
import Testing

/// Stores behind pgbouncer.
@Suite(
    .waits,
    .serialized,
    .timeLimit(.minutes(5)),
    .enabled(
        if: Pgbouncer.path != nil && PostgresServer.isAvailable,
        "pgbouncer is not installed: run scripts/bootstrap --tests"
    )
)
struct PoolerTests {
    @Test func `a pooler that gives each transaction another connection is refused at the start, and named`() throws {
        let server = try PostgresServer()
        let pooler = try Pgbouncer(server, mode: "transaction")
        let error = #expect(throws: StoreError.self) { try PostgresFunnelStore(url: pooler.url) }
        #expect(error?.description.contains("pgbouncer with pool_mode=transaction") ?? false)
        // Also for who only reads, of a store that is there.
        let direct = "postgres:///postgres?host=\(server.directory)&user=funnels"
        _ = try PostgresFunnelStore(url: direct).open(StoreFixtures.identity())
        let second = #expect(throws: StoreError.self) {
            try PostgresFunnelReader(url: pooler.url).withSnapshot { try $0.quality() }
        }
        #expect(second?.description.contains("pool_mode=session") ?? false)
    }

    @Test func `a pooler that gives each client a connection of its own is taken`() throws {
        let server = try PostgresServer()
        let pooler = try Pgbouncer(server, mode: "session")
        let store = try PostgresFunnelStore(url: pooler.url)
        #expect(try store.open(StoreFixtures.identity()).isEmpty)
        let reader = try PostgresFunnelReader(url: pooler.url)
        #expect(try reader.withSnapshot { try $0.quality().events } == 0)
    }
}

/// A pgbouncer in front of a test's server. It ends with the value.
private final class Pgbouncer {
    static var path: String? {
        ["/usr/sbin/pgbouncer", "/opt/homebrew/bin/pgbouncer"].first {
            FileManager.default.isExecutableFile(atPath: $0)
        }
    }

    let url: String
    private let process = Process()

    init(_ server: PostgresServer, mode: String) throws {
        let folder = server.directory
        let settings = """
            [databases]
            * = host=\(folder) port=5432
            [pgbouncer]
            unix_socket_dir = \(folder)
            listen_port = 6432
            auth_type = trust
            auth_file = \(folder)/users.txt
            pool_mode = \(mode)
            """
        for (name, text) in [("pgbouncer.ini", settings), ("users.txt", "\"funnels\" \"\"")] {
            try Data(text.utf8).write(to: URL(fileURLWithPath: "\(folder)/\(name)"))
            try server.giveToServer("\(folder)/\(name)", mode: 0o600)
        }
        url = "postgres:///postgres?host=\(folder)&port=6432&user=funnels"
        // It refuses to run as a superuser, as PostgreSQL does.
        let other = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"]
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = (geteuid() == 0 ? other : []) + [Self.path ?? "pgbouncer", "-q", "\(folder)/pgbouncer.ini"]
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.start()
        // The socket is there before anybody listens on it.
        try waitUntil("pgbouncer answers") { server.answers(host: folder, port: 6432) }
    }

    deinit {
        // It inherits the signals that this process has blocked, but for this one.
        kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
    }
}
