/// Suspended callers, each with the condition that it waits for.
///
/// A continuation must be resumed exactly once. Therefore every method that returns a continuation also removes it. The
/// owner is an actor, or keeps the value behind a lock.
package struct Waiters<Condition: Sendable, Failure: Error>: Sendable {
    /// Resumes one caller.
    package typealias Continuation = CheckedContinuation<Void, Failure>

    private var waiting: [Int: (condition: Condition, continuation: Continuation)] = [:]
    private var lastID = 0

    /// Creates an empty collection.
    package init() {}

    /// The number of suspended callers.
    package var count: Int { waiting.count }

    /// Returns an id that no caller has had.
    package mutating func makeID() -> Int {
        lastID += 1
        return lastID
    }

    /// Adds a caller under an id from ``makeID()``.
    package mutating func add(_ continuation: Continuation, id: Int, until condition: Condition) {
        waiting[id] = (condition, continuation)
    }

    /// Removes one caller; `nil` if no caller has the id.
    package mutating func remove(_ id: Int) -> Continuation? {
        waiting.removeValue(forKey: id)?.continuation
    }

    /// Removes the callers whose condition matches, in the order of their ids.
    package mutating func removeAll(
        where matches: (Condition) -> Bool
    ) -> [(condition: Condition, continuation: Continuation)] {
        let removed = waiting.filter { matches($0.value.condition) }
        for id in removed.keys { waiting.removeValue(forKey: id) }
        return removed.sorted { $0.key < $1.key }.map(\.value)
    }

    /// Whether the condition of any caller matches.
    package func contains(where matches: (Condition) -> Bool) -> Bool {
        waiting.values.contains { matches($0.condition) }
    }
}

extension Waiters where Condition == Void {
    /// Adds a caller that is resumed by its id.
    package mutating func add(_ continuation: Continuation, id: Int) {
        add(continuation, id: id, until: ())
    }
}
