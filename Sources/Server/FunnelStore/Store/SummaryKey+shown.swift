package import Funnels

extension SummaryKey {
    /// The breakdown value as the view `funnel_results` shows it, where that is another text: not every database has texts with
    /// U+0000. Empty otherwise.
    package var shownValue: [UInt8] {
        guard let value, value.contains(where: { $0 == 0 || $0 >= 0x80 }) else { return [] }
        let shown = String(decoding: value, as: UTF8.self).unicodeScalars.flatMap { scalar in
            Array(String(scalar == "\u{0}" ? "\u{FFFD}" : scalar).utf8)
        }
        return shown == value ? [] : shown
    }
}
