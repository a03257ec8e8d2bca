/// Decides when a store removes the traces of erased installs from its file.
///
/// To rewrite the file takes as long as the store is large, and no commit can be made meanwhile. So many requests share one
/// rewriting: it takes a twentieth of the time at most.
struct VacuumSchedule: Sendable {
    private static let share = 20

    private var next: ContinuousClock.Instant?

    /// Whether the file may be rewritten now.
    func isDue(at now: ContinuousClock.Instant) -> Bool { next.map { now >= $0 } ?? true }

    /// Takes in that the file was rewritten, or that this failed.
    mutating func ran(for duration: Duration, until now: ContinuousClock.Instant) {
        next = now + duration * (Self.share - 1)
    }
}
