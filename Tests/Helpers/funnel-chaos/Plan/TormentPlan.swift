/// When which torment comes: a pure function of the seed.
///
/// All kinds come once, in random order, then all of them again, until the time is over. Whatever is taken away comes
/// back before the end, so that the end is a pipeline in health that has to have the right numbers.
struct TormentPlan: Sendable {
    /// A torment and its moment.
    struct Entry: Hashable, Sendable {
        /// Milliseconds from the beginning.
        var at: Int
        var torment: Torment
    }

    /// What there is to torment.
    struct Scene: Hashable, Sendable {
        /// The consumers at the beginning, in the places from 0.
        var consumers: Int
        /// The most consumers at once.
        var places: Int
        var brokers: Int
        var partitions: Int
        /// Whether the store is PostgreSQL, which many consumers share and which can go away.
        var hasServer: Bool
        /// How long the group waits for a consumer, in milliseconds.
        var sessionTimeout: Int
    }

    /// In the order of time.
    let entries: [Entry]

    /// Makes the plan.
    ///
    /// - Parameter length: in milliseconds.
    init(seed: UInt64, length: Int, scene: Scene) {
        var planner = TormentPlanner(seed: seed, length: length, scene: scene)
        planner.plan()
        entries = planner.entries.enumerated()
            .sorted { ($0.element.at, $0.offset) < ($1.element.at, $1.offset) }
            .map(\.element)
    }
}
