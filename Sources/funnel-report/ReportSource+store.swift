import ConsumerConfiguration
import FunnelStore
import FunnelStoreSQLite
import Funnels

extension ReportSource {
    /// Opens the store at `url` for reading.
    static func open(_ url: StoreURL) throws -> ReportSource {
        switch url {
        case .sqlite(let path):
            let reader = try SQLiteFunnelReader(path: path)
            return ReportSource(funnels: reader.funnels) { names, from, to in
                try reader.withSnapshot { source in
                    try FunnelReport.make(from: source, funnels: reader.funnels, names: names, from: from, to: to)
                }
            }
        case .postgres:
            throw StoreError.unavailable("\(url): this version reads SQLite stores only; use sqlite:PATH")
        }
    }
}
