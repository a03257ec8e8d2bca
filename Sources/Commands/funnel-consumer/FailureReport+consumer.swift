import FunnelCommandStores
import FunnelCommandSupport
import FunnelConsumer
import FunnelStore
import Funnels
import RDKafka
import OperatorPages
import YAMLNodes

extension FailureReport {
    /// How every command of this program ends when something goes wrong.
    static let funnelConsumer = FailureReport(command: "funnel-consumer") { error in
        switch error {
        case is ConfigurationError, is KafkaConfigurationError: .configuration
        case let error as StoreError: Sysexits(error)
        case is UnknownFunnelNames: .usage
        case is DamagedState, is DamagedSegment: .dataError
        case is FunnelConsumerError, is KafkaError, is OperatorPagesError: .unavailable
        default: nil
        }
    } hint: { error in
        (error as? StoreError)?.hint
    }
}
