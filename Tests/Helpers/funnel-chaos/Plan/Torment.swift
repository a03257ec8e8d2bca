import RDKafka
import FunnelPostgresTestSupport

/// A failure that the run injects into the pipeline, or the end of one.
///
/// It is a plain value: ``TormentPlan`` chooses all torments and their times before the run starts.
enum Torment: Hashable, Sendable {
    /// Sends SIGKILL to the consumer in this slot.
    case kill(Int)
    /// Starts a consumer in an empty slot.
    case start(Int)
    /// Sends SIGSTOP, for longer than the session timeout: the consumer still believes that it owns its partitions.
    case pause(Int)
    /// Sends SIGCONT.
    case resume(Int)
    /// Sends SIGTERM and starts no other consumer: the group gets smaller.
    case retire(Int)
    /// Starts a consumer outside of the group that reads every partition to its end.
    case rival

    /// A broker closes its connections and accepts no new ones; `nil` means all brokers.
    case takeDown(broker: Int?)
    /// The broker accepts connections again.
    case bringUp(broker: Int?)
    /// The next requests of a kind fail.
    case refuse(EmbeddedBroker.Request, KafkaError.Code, times: Int)
    /// Every answer of a broker takes this long; 0 ends the delay.
    case delay(broker: Int, milliseconds: Int)
    /// Another broker becomes the coordinator of the group.
    case moveCoordinator(to: Int)
    /// Another broker becomes the leader of the partition.
    case moveLeader(partition: Int32, to: Int)

    /// Cuts or holds the connection to the store at the next commit.
    case cut(CuttingProxy.Cut)
    /// Lets a held commit continue.
    case release
    /// Stops PostgreSQL as a crash does.
    case stopStore
    /// Starts PostgreSQL again.
    case startStore

    /// Lets the producers use all partitions, so that installs move to other partitions.
    case widenTopic
}

extension Torment {
    /// The lines of the result table that count torments.
    enum Kind: String, CaseIterable, Sendable {
        case kill = "consumers killed"
        case pause = "consumers stopped for longer than their session"
        case change = "consumers added or removed"
        case rival = "consumers outside of the group"
        case brokerCut = "brokers cut or crashed"
        case refusal = "requests made to fail"
        case delay = "brokers slowed down"
        case move = "coordinators and leaders moved"
        case storeCut = "store connections cut or held at a commit"
        case storeCrash = "PostgreSQL crashes"
        case widening = "installs moved to other partitions"
    }

    /// The line that counts this torment; `nil` for the end of a torment, which is not counted again.
    var kind: Kind? {
        switch self {
        case .kill: .kill
        case .pause: .pause
        case .retire: .change
        case .rival: .rival
        case .takeDown: .brokerCut
        case .refuse: .refusal
        case .delay(_, let milliseconds): milliseconds > 0 ? .delay : nil
        case .moveCoordinator, .moveLeader: .move
        case .cut: .storeCut
        case .stopStore: .storeCrash
        case .widenTopic: .widening
        case .start, .resume, .bringUp, .release, .startStore: nil
        }
    }

    /// The number that this torment adds to its line.
    var weight: Int {
        if case .refuse(_, _, let times) = self { times } else { 1 }
    }
}
