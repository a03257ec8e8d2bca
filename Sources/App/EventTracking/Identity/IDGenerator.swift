public import FlowEvents

/// Makes the ids of events, sessions and installs: a witness, so that a test can have ids that it knows.
public struct IDGenerator: Sendable {
    /// A new id for something that happens at the moment. Called from any thread; no two calls may return the same.
    public var make: @Sendable (_ moment: Timestamp) -> String

    /// Creates a generator.
    public init(make: @escaping @Sendable (_ moment: Timestamp) -> String) {
        self.make = make
    }

    /// A new id.
    public func callAsFunction(at moment: Timestamp) -> String { make(moment) }

    /// UUIDs in the order they were asked for, of the system's random bits; see ``UUIDv7Sequence``.
    public static func uuidV7() -> IDGenerator {
        // Called here and not as a default of the other one, so that the compiler knows the type and can inline it.
        uuidV7(random: SystemRandomPool())
    }

    /// UUIDs in the order they were asked for, of random bits of one's own; see ``UUIDv7Sequence``.
    public static func uuidV7(random: some RandomNumberGenerator & Sendable) -> IDGenerator {
        let source = Locked(UUIDv7Source(random: random))
        return IDGenerator { moment in
            source.withLock { $0.next(at: moment) }.description
        }
    }

    /// `PREFIX-1`, `PREFIX-2`, …: for tests.
    public static func counting(_ prefix: String) -> IDGenerator {
        let count = Locked(0)
        return IDGenerator { _ in
            let number = count.withLock { count in
                count += 1
                return count
            }
            return "\(prefix)-\(number)"
        }
    }
}

private struct UUIDv7Source<Random: RandomNumberGenerator & Sendable>: Sendable {
    var sequence = UUIDv7Sequence()
    var random: Random

    init(random: Random) {
        self.random = random
    }

    mutating func next(at moment: Timestamp) -> UUIDv7 {
        sequence.next(at: moment, using: &random)
    }
}
