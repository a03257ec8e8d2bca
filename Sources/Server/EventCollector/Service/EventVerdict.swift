import FlowEvents

/// What became of one event of a request.
struct EventVerdict: Sendable, Hashable {
    /// The event's id, where it has one that can be read.
    var id: String?
    /// Why it is not taken; `nil` where it is.
    var rejection: Rejection?
}

extension [EventVerdict] {
    /// The body of the answer: one result for each event, in their order.
    var json: [UInt8] {
        var text: [UInt8] = []
        text.reserveCapacity(16 + 80 * count)
        text.append(#"{"results":["#)
        for (index, verdict) in enumerated() {
            if index > 0 { text.append(",") }
            text.append(#"{"id":"#)
            if let id = verdict.id { text.appendJSON(id) } else { text.append("null") }
            if let rejection = verdict.rejection {
                text.append(#","status":"rejected","reason":"#)
                text.appendJSON(rejection.reason)
                text.append(#","detail":"#)
                text.appendJSON(rejection.detail)
                text.append("}")
            } else {
                text.append(#","status":"accepted"}"#)
            }
        }
        text.append("]}")
        return text
    }
}
