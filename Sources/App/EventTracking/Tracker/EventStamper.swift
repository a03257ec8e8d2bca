import FlowEvents

/// Makes encoded events from drafts: adds ids, time, session and sequence number. It does no I/O.
///
/// Only a valid event uses a sequence number.
package struct EventStamper: Sendable {
    let source: String
    let sessionTimeout: Duration
    let ids: IDGenerator
    /// The identity to save, so that no number is used twice.
    package private(set) var identity: Identity
    /// Whether events get a `sequence`.
    package var isNumbering = true

    package init(source: String, sessionTimeout: Duration, ids: IDGenerator, identity: Identity) {
        self.source = source
        self.sessionTimeout = sessionTimeout
        self.ids = ids
        self.identity = identity
    }

    /// Makes and encodes the event of a draft.
    ///
    /// - Throws: the rule that the event breaks. The stamper is unchanged then.
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

    /// Makes and encodes the events of drafts, in order. Also returns the rules that events break.
    package mutating func stamp(_ entries: [TrackerBuffer.Entry]) -> ([EncodedEvent], [EventViolation]) {
        var events: [EncodedEvent] = []
        events.reserveCapacity(entries.count)
        var violations: [EventViolation] = []
        for entry in entries {
            do throws(EventViolation) {
                events.append(try stamp(entry))
            } catch {
                // The next event begins the session that this one was to begin.
                if entry.beginsSession { identity.session = nil }
                violations.append(error)
            }
        }
        return (events, violations)
    }

    /// Returns a stamper that skips numbers, for events that were lost before they got one. The gap shows the loss.
    package func skipping(_ count: Int) -> EventStamper {
        var stamper = self
        stamper.identity.nextSequence += Int64(count)
        return stamper
    }
}
