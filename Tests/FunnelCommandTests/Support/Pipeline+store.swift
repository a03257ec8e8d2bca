import FlowTestSupport
import FunnelStore
import FunnelStoreSQLite
import Funnels
import RDKafka

extension Pipeline {
    /// The valid records that the store has taken in.
    func countedEvents() throws -> Int64 {
        let reader = try SQLiteFunnelReader(path: directory.file("funnels.sqlite"))
        return try reader.withSnapshot { try $0.quality().events }
    }

    /// What a store of the broker's cluster belongs to.
    func clusterID() async throws -> String {
        let configuration = KafkaConfiguration(bootstrapServers: broker.bootstrapServers)
        return try await onThread {
            let consumer = try Consumer(configuration: configuration, groupID: nil, logger: silent)
            defer { consumer.close() }
            return try consumer.clusterID(within: patience)
        }
    }
}
