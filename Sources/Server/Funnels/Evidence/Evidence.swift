/// One event of an install that matches at least one step of one funnel: what is kept of it.
struct Evidence {
    /// The event's time, in milliseconds since 1970.
    var time: Int64
    /// The event's sequence, 0 where it has none.
    var sequence: Int64
    /// The event's id, its text among the install's id texts.
    var id: EventID
    /// The place of the event's source among the install's strings.
    var source: Int32
    /// The place of the event's session among the install's strings, plus 1; 0 where it has none.
    var session: Int32
    /// The event's place in the install's table of signatures.
    var signature: Int32
}
