import FlowEvents

/// The collector's decision about one event of a request.
struct EventVerdict: Sendable, Hashable {
    /// The event's id, if it can be read and is not too long.
    var id: String?
    /// Why the event is rejected; `nil` if it is accepted.
    var rejection: Rejection?
}

extension EventVerdict {
    // A detail has less than 200 bytes; the names and a reason have less than 150.
    private static let maximumSizeWithoutID = 400

    /// The maximum size of a verdict's JSON.
    static func maximumSize(idSize: Int) -> Int {
        maximumSizeWithoutID + JSONWriter.longestEscape * idSize
    }
}

extension [EventVerdict] {
    /// The maximum size of the answer's body, also if Kafka rejects events that are accepted now.
    var maximumSize: Int {
        reduce(0) { size, verdict in size + EventVerdict.maximumSize(idSize: verdict.id?.utf8.count ?? 0) }
    }
}

/// The answer's body: one result for each event, in the order of the request.
struct EventResults: JSONWritable {
    let verdicts: [EventVerdict]

    // With the escapes of an id, so that no second attempt takes more memory than the request has reserved.
    var sizeWithoutEscapes: Int {
        // The names and the punctuation of a result have less than 60 bytes.
        verdicts.reduce(16) { size, verdict in
            let id = verdict.id.map { $0.utf8.count * JSONWriter.longestEscape } ?? 4
            return size + 60 + id + (verdict.rejection.map { $0.reason.utf8.count + $0.detail.utf8.count } ?? 0)
        }
    }

    func write(to json: inout JSONWriter) {
        json.append(#"{"results":["#)
        for (index, verdict) in verdicts.enumerated() {
            json.append(index > 0 ? #",{"id":"# : #"{"id":"#)
            if let id = verdict.id { json.appendString(id) } else { json.append("null") }
            if let rejection = verdict.rejection {
                json.append(#","status":"rejected","reason":"#)
                json.appendString(rejection.reason)
                json.append(#","detail":"#)
                json.appendString(rejection.detail)
                json.append("}")
            } else {
                json.append(#","status":"accepted"}"#)
            }
        }
        json.append("]}")
    }
}
