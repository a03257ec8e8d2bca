/// The torments of a run and their times: a pure function of the seed.
///
/// Each kind comes once, in random order, then each comes again, until the time is over. All that stops starts again
/// before the end, so that a healthy pipeline has to have the right numbers.
struct TormentPlan: Sendable {
    /// A torment and its time.
    struct Entry: Hashable, Sendable {
        /// Milliseconds since the start.
        var at: Int
        var torment: Torment
    }

    /// The parts of the pipeline.
    struct Scene: Hashable, Sendable {
        /// The number of consumers at the start; they have the slots from 0.
        var consumers: Int
        /// The greatest number of consumers at a time.
        var places: Int
        var brokers: Int
        var partitions: Int
        /// Whether the store is PostgreSQL, which many consumers share and which can be down.
        var hasServer: Bool
        /// The session timeout of the group, in milliseconds.
        var sessionTimeout: Int
        /// Whether the cluster is an embedded one, which can inject all faults.
        var isEmbedded = true
        /// Whether brokers of a real cluster can be crashed.
        var canCrash = false
    }

    /// The torments, ordered by time.
    let entries: [Entry]

    /// Makes the plan.
    ///
    /// - Parameter length: The length of the run in milliseconds.
    init(seed: UInt64, length: Int, scene: Scene) {
        var planner = TormentPlanner(seed: seed, length: length, scene: scene)
        planner.plan()
        entries = planner.entries.enumerated()
            .sorted { ($0.element.at, $0.offset) < ($1.element.at, $1.offset) }
            .map(\.element)
    }
}
