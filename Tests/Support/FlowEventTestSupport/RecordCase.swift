import FlowEvents

/// The value of a record, and the result that the contract requires.
package struct RecordCase: Sendable, CustomStringConvertible {
    package let bytes: [UInt8]
    /// The reason of the dead letter; `nil` for a valid event.
    package let reason: DeadLetterReason?
    /// A text that the violation's detail must contain.
    package let names: String
    package var description: String { String(decoding: bytes.prefix(240), as: UTF8.self) }

    /// Whether a violation is the required one, with a short detail that names the field.
    package func demands(_ violation: EventViolation?) -> Bool {
        guard let violation else { return reason == nil }
        return violation.reason == reason && violation.detail.utf8.count < 200
            && (names.isEmpty || violation.detail.contains(names))
    }

    init(_ text: String, _ reason: DeadLetterReason? = nil, names: String = "") {
        self.init(Array(text.utf8), reason, names: names)
    }

    init(_ bytes: [UInt8], _ reason: DeadLetterReason? = nil, names: String = "") {
        self.bytes = bytes
        self.reason = reason
        self.names = names
    }

    /// Returns a valid event with changed attributes and fields of `data`, as JSON text. `nil` removes a field.
    static func json(_ attributes: [String: String?] = [:], data: [String: String?] = [:]) -> String {
        func object(_ members: [String: String], _ changes: [String: String?]) -> String {
            let changed = members.mapValues(Optional.some).merging(changes) { $1 }
            let texts = changed.sorted { $0.key < $1.key }.compactMap { name, value in value.map { "\"\(name)\":\($0)" }
            }
            return "{" + texts.joined(separator: ",") + "}"
        }
        let all = [
            "specversion": #""1.0""#, "id": #""1""#, "source": #""app://a""#, "type": #""screen_view""#,
            "time": #""2026-11-20T10:15:30.123Z""#, "data": object(["install_id": #""i""#], data),
        ]
        return object(all, attributes)
    }
}
