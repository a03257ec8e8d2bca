import EventReader
import FlowEvents

/// A copy of a reader's fields, independent of its buffers, for comparison.
struct EventSnapshot: Equatable {
    var id: String
    var source: String
    var type: String
    var time: Timestamp
    var installID: String
    var sessionID: String?
    var sequence: Int64?
    var values: [String]
}

extension EventSnapshot {
    init(_ event: borrowing EventFields) {
        func text(_ bytes: UnsafeRawBufferPointer) -> String { String(decoding: bytes, as: UTF8.self) }
        id = text(event.id)
        source = text(event.source)
        type = text(event.type)
        time = event.time
        installID = text(event.installID)
        sessionID = event.sessionID.map(text)
        sequence = event.sequence
        values = event.values.map { value in
            switch value {
            case .absent: "absent"
            case .string(let bytes): text(bytes)
            case .number(let number): number.text
            case .bool(let bool): "\(bool)"
            case .other: "other"
            }
        }
    }

    /// The fields that a reader for `screen` and `user_id` must supply for `event`.
    init(_ event: Event) {
        id = event.id
        source = event.source
        type = event.type
        time = event.time
        installID = event.installID
        sessionID = event.sessionID
        sequence = event.sequence
        values = [event.screen ?? "absent", event.userID ?? "absent"]
    }
}

extension EventReader {
    func read(_ value: [UInt8], recordTimestamp: Timestamp? = nil) -> EventReading<EventSnapshot> {
        value.withUnsafeBytes { read($0, recordTimestamp: recordTimestamp) { EventSnapshot($0) } }
    }
}

extension EventReading<EventSnapshot> {
    var snapshot: EventSnapshot? {
        if case .valid(let snapshot) = self { snapshot } else { nil }
    }

    var violation: EventViolation? {
        if case .deadLetter(let violation) = self { violation } else { nil }
    }
}
