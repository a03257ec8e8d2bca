import FlowEvents
import Foundation
import FunnelStore
import FunnelStoreSQLite
import Funnels
import FunnelPostgresTestSupport

/// The store of a run, and the failures that can be injected into it.
struct ChaosStore: Sendable {
    private enum Place {
        case sqlite(path: String)
        case postgres(PostgresServer, CuttingProxy, schema: String)
    }

    private let place: Place
    /// The URL for the consumers.
    let url: String
    /// The URL for reports, which bypasses the proxy that cuts connections.
    let reportURL: String

    /// Returns a store in a file in the folder of the run.
    static func sqlite(in workspace: Workspace) -> ChaosStore {
        let path = workspace.file("funnels.sqlite")
        return ChaosStore(place: .sqlite(path: path), url: "sqlite:\(path)", reportURL: "sqlite:\(path)")
    }

    /// Starts a PostgreSQL server, and a proxy in front of it that can cut connections.
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

    /// The number of connections that were cut or held.
    var cutCount: Int {
        if case .postgres(_, let proxy, _) = place { proxy.cutCount } else { 0 }
    }

    func cutNext(_ cut: CuttingProxy.Cut) {
        if case .postgres(_, let proxy, _) = place { proxy.cutNext(cut) }
    }

    func release() {
        if case .postgres(_, let proxy, _) = place { proxy.release() }
    }

    /// Stops the server as a crash does. Blocks the thread.
    func stop() throws { try server?.stop() }

    /// Starts the server again. Blocks the thread.
    func start() throws { try server?.start() }

    /// Returns the next offset of each partition, and the time before which its events are late if it was added. Blocks
    /// the thread.
    func progress() throws -> [Int32: (nextOffset: Int64, floor: Timestamp?)] {
        switch place {
        case .sqlite(let path):
            let progress = try SQLiteFunnelReader(path: path).withAudit { try $0.progress() }
            return Dictionary(uniqueKeysWithValues: progress.map { ($0.partition, ($0.nextOffset, $0.floor)) })
        case .postgres(let server, _, let schema):
            let rows = try server.sql(
                "SELECT partition, next_offset, floor FROM flow_funnels_partitions",
                schema: schema
            )
            return rows.split(separator: "\n").reduce(into: [:]) { progress, row in
                let numbers = row.split(separator: "|").compactMap { Int64($0) }
                guard numbers.count >= 2 else { return }
                let floor = numbers.count > 2 ? Timestamp(milliseconds: numbers[2]) : nil
                progress[Int32(numbers[0])] = (numbers[1], floor)
            }
        }
    }

    private var server: PostgresServer? {
        if case .postgres(let server, _, _) = place { server } else { nil }
    }
}
