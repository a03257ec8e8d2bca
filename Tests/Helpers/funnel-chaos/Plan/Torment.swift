import RDKafka
import FunnelPostgresTestSupport

/// One thing that is done to the pipeline while it counts, or that ends one.
///
/// A value without a clock: what is done when is decided before anything runs, by ``TormentPlan``.
enum Torment: Hashable, Sendable {
    /// SIGKILL to the consumer in this place.
    case kill(Int)
    /// A consumer in a place where none is: again, or one more.
    case start(Int)
    /// SIGSTOP for longer than the group waits: it will go on believing that its partitions are its own.
    case pause(Int)
    /// SIGCONT.
    case resume(Int)
    /// SIGTERM, and nobody comes in its place: scaling down.
    case retire(Int)
    /// A consumer outside of the group that reads every partition to its end, whoever has it.
    case rival

    /// A broker closes its connections and takes no new ones; `nil` stands for all of them.
    case takeDown(broker: Int?)
    /// It takes connections again.
    case bringUp(broker: Int?)
    /// The next requests of a kind fail.
    case refuse(EmbeddedBroker.Request, KafkaError.Code, times: Int)
    /// Every answer of a broker takes this long; 0 ends it.
    case delay(broker: Int, milliseconds: Int)
    /// Another broker keeps the group.
    case moveCoordinator(to: Int)
    /// Another broker has the partition.
    case moveLeader(partition: Int32, to: Int)

    /// The connection to the store is cut at the next commit, or held there.
    case cut(CuttingProxy.Cut)
    /// A held commit goes on.
    case release
    /// PostgreSQL ends as in a crash.
    case stopStore
    /// PostgreSQL comes back.
    case startStore

    /// The producers use all partitions from now on, so that installs move to others.
    case widenTopic
}

extension Torment {
    /// The lines of the table that torments are counted in.
    enum Kind: String, CaseIterable, Sendable {
        case kill = "consumers killed"
        case pause = "consumers stopped for longer than their session"
        case change = "consumers added or taken away"
        case rival = "rivals outside of the group"
        case brokerCut = "brokers cut"
        case refusal = "requests told to fail"
        case delay = "brokers slowed down"
        case move = "coordinators and leaders moved"
        case storeCut = "store connections cut or held at a commit"
        case storeCrash = "PostgreSQL crashes"
        case widening = "installs moved to other partitions"
    }

    /// Where it is counted; `nil` for the end of one, which is counted already.
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

    /// How many it counts for.
    var weight: Int {
        if case .refuse(_, _, let times) = self { times } else { 1 }
    }
}
