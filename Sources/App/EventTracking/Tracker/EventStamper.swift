import FlowEvents

/// Makes events of drafts: who, when, in which session and in which order. A value without I/O.
///
/// A sequence number is used up only by an event that is queued; one that breaks the contract takes none.
package struct EventStamper: Sendable {
    let source: String
    let sessionTimeout: Duration
    let ids: IDGenerator
    /// What has to be kept so that no number is used twice.
    package private(set) var identity: Identity
    /// Whether events get a `sequence`.
    package var isNumbering = true

    package init(source: String, sessionTimeout: Duration, ids: IDGenerator, identity: Identity) {
        self.source = source
        self.sessionTimeout = sessionTimeout
        self.ids = ids
        self.identity = identity
    }

    /// Returns a function that makes a stamper as soon as the identity is known.
    package static func factory(
        source: String,
        configuration: TrackerConfiguration,
        ids: IDGenerator
    ) -> @Sendable (Identity) -> EventStamper {
        { identity in
            EventStamper(source: source, sessionTimeout: configuration.sessionTimeout, ids: ids, identity: identity)
        }
    }

    /// Completes and encodes the draft's event.
    ///
    /// - Throws: the rule of the contract that the event breaks; nothing has changed then.
    package mutating func stamp(_ entry: TrackerBuffer.Entry) throws(EventViolation) -> EncodedEvent {
        let session =
            entry.isNote
            ? nil
            : Session.session(
                at: entry.moment,
                after: entry.beginsSession ? nil : identity.session,
                timeout: sessionTimeout,
                makeID: ids.make
            )
        let event = Event(
            id: ids(at: entry.moment),
            source: source,
            type: entry.draft.type,
            time: entry.moment,
            installID: identity.installID,
            sessionID: session?.id,
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
        if let session { identity.session = session }
        if isNumbering { identity.nextSequence += 1 }
        return EncodedEvent(id: event.id, key: identity.installID, value: value)
    }

    /// Completes and encodes the drafts, in their order; tells also which rules were broken.
    package mutating func stamp(_ entries: [TrackerBuffer.Entry]) -> ([EncodedEvent], [EventViolation]) {
        var events: [EncodedEvent] = []
        events.reserveCapacity(entries.count)
        var violations: [EventViolation] = []
        for entry in entries {
            do throws(EventViolation) {
                events.append(try stamp(entry))
            } catch {
                violations.append(error)
            }
        }
        return (events, violations)
    }

    /// Leaves numbers out for events that were tracked and lost before they got one, so that the gap tells of them.
    package func skipping(_ count: Int) -> EventStamper {
        var stamper = self
        stamper.identity.nextSequence += Int64(count)
        return stamper
    }
}
