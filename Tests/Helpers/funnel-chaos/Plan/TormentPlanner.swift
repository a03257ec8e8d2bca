import FlowEventTestSupport
import RDKafka
import FunnelPostgresTestSupport

/// Chooses the torments of a ``TormentPlan``. It tracks which parts are disturbed, so that no part has two torments at
/// a time.
struct TormentPlanner {
    private enum Card: CaseIterable {
        case kill, secondKill, pause, broker, allBrokers, refusal, secondRefusal, delay, coordinator, leader
        // These need a store for many consumers.
        case add, retire, rival, cut, secondCut, hold, crash

        /// Whether only an embedded cluster has this failure.
        var needsEmbedded: Bool {
            switch self {
            case .broker, .refusal, .secondRefusal, .delay, .coordinator, .leader: true
            default: false
            }
        }
    }

    /// How long a real broker takes to start again, in milliseconds.
    private static let brokerStart = 15_000

    private(set) var entries: [TormentPlan.Entry] = []
    private var random: SeededGenerator
    private let length: Int
    private let scene: TormentPlan.Scene
    // The times from which each part may be disturbed again. An empty slot has no time.
    private var freeConsumers: [Int: Int]
    private var freeBrokers = 0
    private var freeDelays = 0
    private var freeStore = 0

    init(seed: UInt64, length: Int, scene: TormentPlan.Scene) {
        random = SeededGenerator(seed: seed)
        self.length = length
        self.scene = scene
        freeConsumers = Dictionary(uniqueKeysWithValues: (0..<scene.consumers).map { ($0, 0) })
    }

    mutating func plan() {
        if length > 0 { add(length * 2 / 5, .widenTopic) }
        let cards = (scene.hasServer ? Card.allCases : Array(Card.allCases.prefix { $0 != .add }))
            .filter { scene.isEmbedded || !$0.needsEmbedded && (scene.canCrash || $0 != .allBrokers) }
        var deck = cards.shuffled(using: &random)
        var now = milliseconds(200...1000)
        while now < length {
            // Plays the first card that is possible now; the others wait.
            if let index = deck.indices.first(where: { play(deck[$0], at: now) }) { deck.remove(at: index) }
            now += milliseconds(300...1500)
            if deck.isEmpty {
                // A pause, so that the next round disturbs consumers that read, and not one long rebalance.
                now += milliseconds(2000...6000)
                deck = cards.shuffled(using: &random)
            }
        }
    }

    /// - Returns: Whether the card was possible. If not, only the random generator has changed.
    private mutating func play(_ card: Card, at now: Int) -> Bool {
        switch card {
        case .kill, .secondKill:
            playOnConsumer(Torment.kill, at: now, for: milliseconds(0...1500), then: Torment.start)
        case .pause:
            // Sometimes it resumes just before the session timeout, usually after it.
            playOnConsumer(
                Torment.pause,
                at: now,
                for: scene.sessionTimeout + milliseconds(-300...3000),
                then: Torment.resume
            )
        case .add: playAdd(at: now)
        case .retire: playRetire(at: now)
        case .rival: playAtOnce(.rival, at: now)
        case .broker: playOnBrokers(1 + Int(random.next() % UInt64(scene.brokers)), at: now)
        case .allBrokers: playOnBrokers(nil, at: now)
        case .refusal, .secondRefusal: playRefusal(at: now)
        case .delay: playDelay(at: now)
        case .coordinator: freeBrokers <= now && playAtOnce(.moveCoordinator(to: anyBroker()), at: now)
        case .leader:
            playAtOnce(
                .moveLeader(partition: Int32(random.next() % UInt64(scene.partitions)), to: anyBroker()),
                at: now
            )
        case .cut, .secondCut: playCut(at: now)
        case .hold: playHold(at: now)
        case .crash: playCrash(at: now)
        }
    }

    // MARK: Consumers

    private mutating func playOnConsumer(
        _ torment: (Int) -> Torment,
        at now: Int,
        for duration: Int,
        then end: (Int) -> Torment
    ) -> Bool {
        guard now + duration <= length, let place = anyFreeConsumer(at: now) else { return false }
        add(now, torment(place))
        add(now + duration, end(place))
        // Gives the consumer time to read before the next torment.
        freeConsumers[place] = now + duration + 1000
        return true
    }

    private mutating func playAdd(at now: Int) -> Bool {
        guard let place = (0..<scene.places).first(where: { freeConsumers[$0] == nil }) else {
            return false
        }
        add(now, .start(place))
        freeConsumers[place] = now + 1000
        return true
    }

    private mutating func playRetire(at now: Int) -> Bool {
        guard freeConsumers.count > 2, let place = anyFreeConsumer(at: now) else { return false }
        add(now, .retire(place))
        freeConsumers[place] = nil
        return true
    }

    private mutating func anyFreeConsumer(at now: Int) -> Int? {
        freeConsumers.filter { $0.value <= now }.keys.sorted().randomElement(using: &random)
    }

    // MARK: Brokers

    private mutating func playOnBrokers(_ broker: Int?, at now: Int) -> Bool {
        let duration = milliseconds(broker == nil ? 200...2500 : 500...5000)
        guard freeBrokers <= now, now + duration <= length else { return false }
        add(now, .takeDown(broker: broker))
        add(now + duration, .bringUp(broker: broker))
        freeBrokers = now + duration + (scene.isEmbedded ? 500 : Self.brokerStart)
        return true
    }

    private mutating func playRefusal(at now: Int) -> Bool {
        let (request, codes) = random.pick(Refusals.all)
        add(now, .refuse(request, random.pick(codes), times: milliseconds(1...4)))
        return true
    }

    private mutating func playDelay(at now: Int) -> Bool {
        let (duration, broker) = (milliseconds(1000...4000), anyBroker())
        guard freeDelays <= now, now + duration <= length else { return false }
        add(now, .delay(broker: broker, milliseconds: milliseconds(20...400)))
        add(now + duration, .delay(broker: broker, milliseconds: 0))
        freeDelays = now + duration
        return true
    }

    private mutating func anyBroker() -> Int { 1 + Int(random.next() % UInt64(scene.brokers)) }

    // MARK: The store

    private mutating func playCut(at now: Int) -> Bool {
        guard freeStore <= now else { return false }
        add(now, .cut(random.pick(CuttingProxy.Cut.all)))
        return true
    }

    private mutating func playHold(at now: Int) -> Bool {
        let duration = milliseconds(500...5000)
        guard freeStore <= now, now + duration <= length else { return false }
        add(now, .cut(.hold))
        add(now + duration, .release)
        freeStore = now + duration + 500
        return true
    }

    private mutating func playCrash(at now: Int) -> Bool {
        let duration = milliseconds(100...2000)
        guard freeStore <= now, now + duration <= length else { return false }
        add(now, .stopStore)
        add(now + duration, .startStore)
        freeStore = now + duration + 1000
        return true
    }

    private mutating func playAtOnce(_ torment: Torment, at now: Int) -> Bool {
        add(now, torment)
        return true
    }

    private mutating func add(_ moment: Int, _ torment: Torment) {
        entries.append(TormentPlan.Entry(at: moment, torment: torment))
    }

    private mutating func milliseconds(_ range: ClosedRange<Int>) -> Int {
        Int.random(in: range, using: &random)
    }
}
