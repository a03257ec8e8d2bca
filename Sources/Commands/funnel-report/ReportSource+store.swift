import FunnelCommandStores
import FunnelConsumerConfiguration
import FunnelStore
import Funnels

extension ReportSource {
    /// Opens the store at `url` for reading.
    static func open(_ url: StoreURL) throws -> ReportSource {
        let reader = try url.openReader()
        return ReportSource(funnels: reader.funnels) { names, from, to in
            try reader.withSnapshot { source in
                try FunnelReport.make(from: source, funnels: reader.funnels, names: names, from: from, to: to)
            }
        }
    }
}
