import FlowEvents

/// The collector's decision about one event of a request.
struct EventVerdict: Sendable, Hashable {
    /// The event's id, if it can be read and is not too long.
    var id: String?
    /// Why the event is rejected; `nil` if it is accepted.
    var rejection: Rejection?
}

extension EventVerdict {
    /// The bytes that JSON has at most for one byte of a text.
    static let escaped = 6
    // A detail has less than 200 bytes; the names and a reason have less than 150.
    private static let maximumSizeWithoutID = 400

    /// The maximum size of a verdict's JSON.
    static func maximumSize(idSize: Int) -> Int {
        maximumSizeWithoutID + escaped * idSize
    }
}

extension [EventVerdict] {
    /// The maximum size of ``json``, also if Kafka rejects events that are accepted now.
    var maximumSize: Int {
        reduce(0) { size, verdict in size + EventVerdict.maximumSize(idSize: verdict.id?.utf8.count ?? 0) }
    }

    /// The answer's body: one result for each event, in the order of the request.
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
