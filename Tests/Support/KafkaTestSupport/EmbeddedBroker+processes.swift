import FlowProcessTestSupport
import Foundation
package import Logging
package import RDKafka

/// A process that starts at the same moment inherits the broker's sockets. As long as it has a listener, the broker cannot
/// listen on its port again, and librdkafka ends the program. So tests use these in place of `EmbeddedBroker.init` and
/// `takeDown(_:)`: all tests share one program. `scripts/lint` checks that.
extension EmbeddedBroker {
    /// Starts a cluster while this program starts no process.
    package static func notInherited(brokers: Int = 1, logger: Logger) throws -> EmbeddedBroker {
        try Process.withoutStarts { try EmbeddedBroker(brokers: brokers, logger: logger) }
    }

    /// Takes a broker down while this program starts no process. ``EmbeddedBroker/bringUp(_:)`` lets it take connections
    /// again.
    ///
    /// - Parameter broker: the broker's id; `nil` for all brokers.
    package func cutOff(_ broker: Int? = nil) throws {
        try Process.withoutStarts { try takeDown(broker) }
    }
}
