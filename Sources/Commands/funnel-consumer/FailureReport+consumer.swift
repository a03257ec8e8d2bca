import FunnelCommandStores
import FunnelCommandSupport
import FunnelConsumer
import FunnelServiceSupport
import FunnelStore
import Funnels
import RDKafka
import YAMLNodes

extension FailureReport {
    /// Reports the failures of all commands of this program.
    static let funnelConsumer = FailureReport(command: "funnel-consumer") { error in
        switch error {
        case is ConfigurationError, is KafkaConfigurationError: .configuration
        case let error as StoreError: Sysexits(error)
        case is UnknownFunnels: .usage
        case let error as FunnelConsumerError where error.code == .groupOfAnotherStore: .configuration
        case is FunnelConsumerError, is KafkaError, is ListenError: .unavailable
        default: nil
        }
    } hint: { error in
        switch error {
        case let error as FunnelConsumerError where error.code == .brokersUnreachable:
            "--bootstrap-servers or KAFKA_BOOTSTRAP_SERVERS names other brokers."
        default: (error as? StoreError)?.hint
        }
    }
}
