public import FlowEvents

/// Makes the ids of events, sessions and installs.
///
/// An app uses ``uuidV7()``. A test uses ``counting(_:)``, for ids that it can expect.
public struct IDGenerator: Sendable {
    /// Returns a new id for an event at the moment. It is called from any thread and never returns an id twice.
    public var make: @Sendable (_ moment: Timestamp) -> String

    /// Creates a generator.
    public init(make: @escaping @Sendable (_ moment: Timestamp) -> String) {
        self.make = make
    }

    /// Returns a new id.
    public func callAsFunction(at moment: Timestamp) -> String { make(moment) }

    /// Makes ascending UUIDs of version 7 with the system's random bits.
    public static func uuidV7() -> IDGenerator {
        // Not a default argument of the function below: here the compiler knows the type and can inline it.
        uuidV7(random: SystemRandomPool())
    }

    /// Makes ascending UUIDs of version 7 with the given random bits.
    public static func uuidV7(random: some RandomNumberGenerator & Sendable) -> IDGenerator {
        let source = Locked(UUIDv7Source(random: random))
        return IDGenerator { moment in
            source.withLock { $0.next(at: moment) }.description
        }
    }

    /// Makes `PREFIX-1`, `PREFIX-2` and so on, for tests.
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
