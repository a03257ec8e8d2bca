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
    /// Whether no event of this run was stamped yet.
    package var isLaunch: Bool

    package init(source: String, sessionTimeout: Duration, ids: IDGenerator, identity: Identity, isLaunch: Bool = true)
    {
        self.isLaunch = isLaunch
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
                isLaunch: isLaunch,
                makeID: ids.make
            )
        let userID: String? =
            switch entry.user {
            case .saved: identity.userID
            case .named(let name): name
            }
        let event = Event(
            id: ids(at: entry.moment),
            source: source,
            type: entry.draft.type,
            time: entry.moment,
            installID: identity.installID,
            sessionID: session?.id,
            userID: entry.isNote ? nil : userID,
            sequence: isNumbering ? identity.nextSequence : nil,
            screen: entry.draft.screen,
            previousScreen: entry.draft.previousScreen,
            transition: entry.draft.transition,
            presentationID: entry.draft.presentationID,
            paywallSource: entry.draft.paywallSource,
            properties: entry.draft.properties
        )
        let value = try event.encoded()
        if let session { (identity.session, identity.userID, isLaunch) = (session, userID, false) }
        if isNumbering { identity.nextSequence += 1 }
        return EncodedEvent(id: event.id, key: identity.installID, value: value)
    }

    /// Makes and encodes the events of drafts, in order.
    package mutating func stamp(_ entries: [TrackerBuffer.Entry]) -> StampedEvents {
        var stamped = StampedEvents()
        stamped.events.reserveCapacity(entries.count)
        for var entry in entries {
            for name in entry.draft.removeUnencodable() { stamped.omit(property: name) }
            do throws(EventViolation) {
                stamped.events.append(try stamp(entry))
            } catch {
                // The next event begins the session that this one was to begin.
                if entry.beginsSession { identity.session = nil }
                stamped.violations.append(error)
            }
        }
        return stamped
    }

    /// Sets the user of later events, where the app has named one.
    package mutating func name(_ user: TrackerBuffer.User?) {
        if case .named(let name)? = user { identity.userID = name }
    }

    /// Returns a stamper that skips numbers, for events that were lost before they got one. The gap shows the loss.
    package func skipping(_ count: Int) -> EventStamper {
        var stamper = self
        stamper.identity.nextSequence += Int64(count)
        return stamper
    }
}

/// What became of drafts.
package struct StampedEvents: Sendable {
    /// The events, in order.
    package var events: [EncodedEvent] = []
    /// The rules that drafts break. They became no events.
    package var violations: [EventViolation] = []
    /// The values that were left out.
    package var omissions: [Omission] = []

    mutating func omit(property name: String) {
        // A name is the app's own. It is shown to the app's developers, and it can have any length.
        let field = "properties." + (name.utf8.count > 100 ? name.prefix(30) + "…" : name)
        if let index = omissions.firstIndex(where: { $0.field == field }) {
            omissions[index].count += 1
        } else if omissions.count < 100 {
            omissions.append(Omission(field: field, detail: "the number is not finite", count: 1))
        }
    }
}
