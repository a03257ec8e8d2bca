import Events

/// Makes events of drafts: who, when, in which session and in which order. A value without I/O.
///
/// A sequence number is used up only by an event that is queued; one that breaks the contract takes none.
struct EventStamper: Sendable {
    let source: String
    let sessionTimeout: Duration
    let ids: IDGenerator
    /// What has to be kept so that no number is used twice.
    private(set) var identity: Identity
    /// Whether events get a `sequence`.
    var isNumbering = true
    // One array, shared by all events of the install.
    private let key: [UInt8]

    init(source: String, sessionTimeout: Duration, ids: IDGenerator, identity: Identity) {
        self.source = source
        self.sessionTimeout = sessionTimeout
        self.ids = ids
        self.identity = identity
        key = Array(identity.installID.utf8)
    }

    /// Completes and encodes the draft's event.
    ///
    /// - Throws: the rule of the contract that the event breaks; nothing has changed then.
    mutating func stamp(_ entry: Intake.Entry) throws(EventViolation) -> EncodedEvent {
        let session = Session.session(
            at: entry.moment,
            after: identity.session,
            timeout: sessionTimeout,
            makeID: ids.make
        )
        let event = Event(
            id: ids(at: entry.moment),
            source: source,
            type: entry.draft.type,
            time: entry.moment,
            installID: identity.installID,
            sessionID: session.id,
            userID: entry.userID,
            sequence: isNumbering ? identity.nextSequence : nil,
            screen: entry.draft.screen,
            previousScreen: entry.draft.previousScreen,
            transition: entry.draft.transition,
            presentationID: entry.draft.presentationID,
            paywallSource: entry.draft.paywallSource,
            properties: entry.draft.properties
        )
        let value = try event.encoded()
        identity.session = session
        if isNumbering { identity.nextSequence += 1 }
        return EncodedEvent(id: event.id, key: key, value: value)
    }

    /// Leaves numbers out for events that were tracked and lost before they got one, so that the gap tells of them.
    func skipping(_ count: Int) -> EventStamper {
        var stamper = self
        stamper.identity.nextSequence += Int64(count)
        return stamper
    }
}
