import FlowEvents
extension Event {
    /// Returns a random valid event with all kinds of texts and numbers.
    package static func random(using generator: inout SeededGenerator) -> Event {
        func text(_ lengths: ClosedRange<Int> = 1...12) -> String {
            var scalars = String.UnicodeScalarView()
            for _ in 0..<Int.random(in: lengths, using: &generator) {
                let range: ClosedRange<UInt32> =
                    switch UInt8.random(in: 0...9, using: &generator) {
                    case 0: 0...0x1F
                    case 1: 0x80...0x7FF
                    case 2: 0x800...0xFFFF
                    case 3: 0x10000...0x10FFFF
                    default: 0x20...0x7F
                    }
                // Half of a surrogate pair is not a scalar.
                scalars.append(Unicode.Scalar(UInt32.random(in: range, using: &generator)) ?? "?")
            }
            return String(scalars)
        }
        func optional() -> String? { Bool.random(using: &generator) ? text() : nil }
        var event = Event(
            id: text(),
            source: text(),
            type: text(),
            time: Timestamp(milliseconds: .random(in: -62_167_219_200_000...253_402_300_799_999, using: &generator)),
            installID: text()
        )
        event.sessionID = optional()
        event.userID = optional()
        event.sequence = Bool.random(using: &generator) ? .random(in: EventRules.sequences, using: &generator) : nil
        event.screen = Bool.random(using: &generator) ? text(0...3) : nil
        event.previousScreen = optional()
        event.transition = optional()
        event.presentationID = optional()
        event.paywallSource = optional()
        for _ in 0..<Int.random(in: 0...4, using: &generator) {
            event.properties[text(0...8)] =
                switch UInt8.random(in: 0...4, using: &generator) {
                case 0: .string(text(0...20))
                case 1: .bool(.random(using: &generator))
                case 2: .number(Int64(bitPattern: generator.next()))
                case 3: .number(Double(Int.random(in: -1_000_000...1_000_000, using: &generator)))
                default: .number(Double(bitPattern: generator.next()).finite)
                }
        }
        return event
    }
}
extension Double {
    fileprivate var finite: Double { isFinite ? self : 0.1 }
}
