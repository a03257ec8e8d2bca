/// Where an ``Identity`` is kept: a witness with a version in memory and one in a file.
///
/// A tracker saves the number after the last one it used **before** it gives events to its queue. So
///
/// - no number is used twice: after a crash the next start begins behind every event that may have left;
/// - there is no reserve that a crash would leave behind as a gap: a number that was saved and never arrived is that of
///   an event that was tracked and lost, and a report that counts gaps counts it rightly as missing.
///
/// Saving happens once for all the events that were tracked while the last save ran, never on the caller of `track`.
public struct IdentityStore: Sendable {
    /// The identity that was saved last; `nil` where none was.
    ///
    /// Throws ``IdentityStoreError/Code/damaged`` where what was kept is lost for good: the tracker
    /// then begins and saves a new identity. After any other error it uses a new identity for this run and saves
    /// nothing, since what is kept may be readable again later.
    public var load: @Sendable () async throws -> Identity?

    /// Keeps an identity in place of the one before: all of it or, where it throws, nothing.
    public var save: @Sendable (Identity) async throws -> Void

    /// Creates a store.
    public init(
        load: @escaping @Sendable () async throws -> Identity?,
        save: @escaping @Sendable (Identity) async throws -> Void
    ) {
        self.load = load
        self.save = save
    }

    /// Keeps the identity as long as the store lives: for tests, simulations, and apps that must not keep one.
    ///
    /// - Parameter identity: what is kept at first.
    public static func memory(_ identity: Identity? = nil) -> IdentityStore {
        let kept = Locked(identity)
        return IdentityStore(
            load: { kept.withLock { $0 } },
            save: { identity in kept.withLock { $0 = identity } }
        )
    }
}

/// Who an app's events belong to, as it is kept over restarts.
public struct Identity: Sendable, Hashable {
    /// Names the installation: a UUIDv7, made at the first start.
    public var installID: String
    /// The `sequence` of the next event.
    public var nextSequence: Int64
    /// The session of the last event.
    public var session: Session?
    /// Whether tracking is switched off. The install id is then one that no event has had.
    public var hasOptedOut: Bool

    /// Creates an identity; without a sequence, that of an install that has no events yet.
    public init(installID: String, nextSequence: Int64 = 0, session: Session? = nil, hasOptedOut: Bool = false) {
        self.installID = installID
        self.nextSequence = nextSequence
        self.session = session
        self.hasOptedOut = hasOptedOut
    }
}
