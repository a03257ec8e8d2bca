/// Loads and saves an ``Identity``: in memory, in a file, or in an app's own storage.
///
/// ```swift
/// let tracker = Tracker(source: "app://com.example.shop", identity: .file(path: "identity.json"), sink: sink)
/// ```
///
/// A tracker saves the next sequence number **before** it queues the events that use the numbers below it. Therefore
///
/// - no number is used twice: after a crash, the next launch continues after every event that may have been sent;
/// - every gap is a lost event: the tracker reserves no numbers, so a missing number belongs to an event that was tracked
///   and did not arrive.
///
/// One save covers all events that were tracked during the previous save. `track` never waits for it.
public struct IdentityStore: Sendable {
    /// Returns the identity that was saved last; `nil` if none was saved.
    ///
    /// If the saved identity is lost, it throws an ``IdentityStoreError`` with the code
    /// ``IdentityStoreError/Code/damaged``. The tracker then creates and saves a new identity. After any other error events
    /// wait in memory, and the tracker asks again with the next event, because the saved identity may be readable later: a
    /// phone's files are not before it is first unlocked.
    ///
    /// A store that knows that the user has opted out returns such an identity in place of an error. Otherwise the user
    /// would be tracked.
    public var load: @Sendable () async throws -> Identity?

    /// Replaces the saved identity. It must leave the old identity unchanged if it throws.
    public var save: @Sendable (Identity) async throws -> Void

    /// Where the tracker's ``Tracker/purchases`` are remembered; in memory unless it is set.
    public var purchases = PurchaseStorage.memory

    /// Where requests to erase are kept until they are delivered; in memory unless it is set, and lost with the process then.
    public var erasures = ErasureStorage.memory

    /// Creates a store.
    public init(
        load: @escaping @Sendable () async throws -> Identity?,
        save: @escaping @Sendable (Identity) async throws -> Void
    ) {
        self.load = load
        self.save = save
    }

    /// Keeps the identity in memory, for tests, simulations, and apps that must not save one.
    ///
    /// - Parameter identity: the initial identity.
    public static func memory(_ identity: Identity? = nil) -> IdentityStore {
        let kept = Locked(identity)
        return IdentityStore(
            load: { kept.withLock { $0 } },
            save: { identity in kept.withLock { $0 = identity } }
        )
    }
}

/// The install, the session and the next sequence number of an app's events. It is kept across launches.
public struct Identity: Sendable, Hashable {
    /// Identifies the installation: a UUIDv7 that is made at the first launch.
    public var installID: String
    /// The `sequence` of the next event.
    public var nextSequence: Int64
    /// The session of the last event; `nil` before the first event.
    public var session: Session?
    /// The user of the last event, who is that of the next launch's events until the app names another one.
    public var userID: String?
    /// Whether tracking is off. No event has had the install id then.
    public var hasOptedOut: Bool
    /// Whether the user has agreed to tracking; see ``TrackerConfiguration/asksForConsent``.
    public var hasConsented: Bool

    /// Creates an identity, by default of an install without events.
    public init(
        installID: String,
        nextSequence: Int64 = 0,
        session: Session? = nil,
        userID: String? = nil,
        hasOptedOut: Bool = false,
        hasConsented: Bool = false
    ) {
        self.userID = userID
        self.hasConsented = hasConsented
        self.installID = installID
        self.nextSequence = nextSequence
        self.session = session
        self.hasOptedOut = hasOptedOut
    }
}
