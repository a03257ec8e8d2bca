import Analytics
import Events

/// What became of one event of a request.
struct EventVerdict: Sendable, Hashable {
    /// The event's id, where it has one that can be read.
    var id: String?
    /// Why it is not taken; `nil` where it is.
    var rejection: SinkFailure?
}

extension [EventVerdict] {
    /// The body of the answer: one result for each event, in their order.
    var json: String {
        var text = #"{"results":["#
        for (index, verdict) in enumerated() {
            if index > 0 { text += "," }
            text += #"{"id":"#
            if let id = verdict.id { text.appendJSON(id) } else { text += "null" }
            if let rejection = verdict.rejection {
                text += #","status":"rejected","reason":"#
                text.appendJSON(rejection.code)
                text += #","detail":"#
                text.appendJSON(rejection.detail)
                text += "}"
            } else {
                text += #","status":"accepted"}"#
            }
        }
        return text + "]}"
    }
}
