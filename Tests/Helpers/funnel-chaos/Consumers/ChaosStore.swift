import Foundation
import FunnelStore
import FunnelStoreSQLite
import Funnels
import FunnelPostgresTestSupport

/// The store of a run, and what can be done to it.
struct ChaosStore: Sendable {
    private enum Place {
        case sqlite(path: String)
        case postgres(PostgresServer, CuttingProxy, schema: String)
    }

    private let place: Place
    /// Where consumers reach it.
    let url: String
    /// Where reports are read from, past everything that is cut.
    let reportURL: String

    /// A file in the folder of the run.
    static func sqlite(in workspace: Workspace) -> ChaosStore {
        let path = workspace.file("funnels.sqlite")
        return ChaosStore(place: .sqlite(path: path), url: "sqlite:\(path)", reportURL: "sqlite:\(path)")
    }

    /// A server of its own, with something between that cuts.
    static func postgres() throws -> ChaosStore {
        guard PostgresServer.isAvailable else { throw ChaosFailure(PostgresServer.missing) }
        let server = try PostgresServer()
        let schema = try server.makeSchema()
        let proxy = try CuttingProxy(upstream: server.directory)
        return ChaosStore(
            place: .postgres(server, proxy, schema: schema),
            url: server.url(schema: schema, socket: proxy.directory),
            reportURL: server.url(schema: schema)
        )
    }

    var hasServer: Bool { server != nil }

    /// How often a connection was cut or held.
    var cutCount: Int {
        if case .postgres(_, let proxy, _) = place { proxy.cutCount } else { 0 }
    }

    func cutNext(_ cut: CuttingProxy.Cut) {
        if case .postgres(_, let proxy, _) = place { proxy.cutNext(cut) }
    }

    func release() {
        if case .postgres(_, let proxy, _) = place { proxy.release() }
    }

    /// Ends the server as a crash would; it blocks.
    func stop() throws { try server?.stop() }

    /// Starts it again; it blocks.
    func start() throws { try server?.start() }

    /// The next offset of each partition; it blocks.
    func offsets() throws -> [Int32: Int64] {
        switch place {
        case .sqlite(let path):
            let progress = try SQLiteFunnelReader(path: path).withAudit { try $0.progress() }
            return Dictionary(uniqueKeysWithValues: progress.map { ($0.partition, $0.nextOffset) })
        case .postgres(let server, _, let schema):
            let rows = try server.sql("SELECT partition, next_offset FROM flow_funnels_partitions", schema: schema)
            return rows.split(separator: "\n").reduce(into: [:]) { offsets, row in
                let numbers = row.split(separator: "|").compactMap { Int64($0) }
                if numbers.count == 2 { offsets[Int32(numbers[0])] = numbers[1] }
            }
        }
    }

    private var server: PostgresServer? {
        if case .postgres(let server, _, _) = place { server } else { nil }
    }
}
