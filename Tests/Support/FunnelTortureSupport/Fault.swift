/// Something bad that happens during a torture run, with how long it lasts.
package enum Fault: Sendable, Hashable {
    /// SIGKILL to the app of a slot. After a while the next app starts there, on the same phone or on another.
    case killApp(slot: Int, for: Duration, next: Launch)
    /// A second process on the phone that the slot's app is on, as an app's extension; it ends by SIGKILL.
    case runExtension(slot: Int, for: Duration, Launch)
    /// Trouble on the network between the slot's apps and the collector.
    case cutNetwork(slot: Int, for: Duration, NetworkTrouble)
    /// The disk of the phone that the slot's app is on takes nothing more.
    case fillDisk(slot: Int, for: Duration)
    /// Somebody sets the clock of the phone that the slot's app is on.
    case moveClock(slot: Int, milliseconds: Int64)
    /// SIGKILL to the collector, which starts again after a while.
    case killCollector(for: Duration)
    /// Kafka goes away.
    case stopBroker(for: Duration)

    /// What is counted together.
    package enum Kind: String, Sendable, CaseIterable {
        case appKills = "app kills"
        case extensions = "extension runs, killed"
        case networkCuts = "network cuts"
        case fullDisks = "disk-full episodes"
        case clockMoves = "clock jumps"
        case collectorKills = "collector kills"
        case brokerCuts = "broker cuts"
    }

    /// The kind.
    package var kind: Kind {
        switch self {
        case .killApp: .appKills
        case .runExtension: .extensions
        case .cutNetwork: .networkCuts
        case .fillDisk: .fullDisks
        case .moveClock: .clockMoves
        case .killCollector: .collectorKills
        case .stopBroker: .brokerCuts
        }
    }

    /// How long it lasts.
    package var length: Duration {
        switch self {
        case .killApp(_, let length, _), .runExtension(_, let length, _), .cutNetwork(_, let length, _),
            .fillDisk(_, let length), .killCollector(let length), .stopBroker(let length):
            length
        case .moveClock: .zero
        }
    }
}

/// What can happen to a connection.
package enum NetworkTrouble: String, Sendable, Hashable, CaseIterable {
    /// Connections are cut and new ones refused.
    case refused
    /// Bytes stand still, until the app's patience is over.
    case stalled
    /// Requests go through and their answers are lost: what was acknowledged is not known to be.
    case answersLost
}

/// How an app starts.
package struct Launch: Sendable, Hashable {
    /// Which phone.
    package var phone: Int
    /// By how much the phone's clock is off, in milliseconds.
    package var clockOffset: Int64
    /// Whether the app takes the time from the wall clock at every event, jumps included, and not from a `RunClock`.
    package var followsWallClock: Bool
    /// What the person at the phone does.
    package var seed: UInt64

    /// Creates a launch.
    package init(phone: Int, clockOffset: Int64 = 0, followsWallClock: Bool = false, seed: UInt64) {
        self.phone = phone
        self.clockOffset = clockOffset
        self.followsWallClock = followsWallClock
        self.seed = seed
    }
}
