import Foundation

extension TimeZoneTable {
    /// Creates the table of a time zone by this machine's time zone database; `nil` for an unknown name.
    ///
    /// The names are those of the IANA database, such as `Europe/Berlin`, `Japan` and `UTC`. `TimeZone` knows more, such as
    /// `PST` and `GMT+3`, which differ between systems.
    package init?(named name: String) {
        if name.utf8.elementsEqual("UTC".utf8) {
            self = .utc
            return
        }
        guard Self.isName(name), let zone = TimeZone(identifier: name) else { return nil }
        let end = Date(timeIntervalSince1970: TimeInterval(Self.end / 1000))
        // The years before 1 have no transitions.
        var moment = Date(timeIntervalSince1970: -62_167_219_200)
        var starts = [Int64.min]
        var offsets = [Self.offset(of: zone, at: moment)]
        while let next = zone.nextDaylightSavingTimeTransition(after: moment), next > moment, next < end {
            let offset = Self.offset(of: zone, at: next)
            // Some transitions change only the name of the time.
            if offset != offsets[offsets.count - 1] {
                starts.append(Int64((next.timeIntervalSince1970 * 1000).rounded()))
                offsets.append(offset)
            }
            moment = next
        }
        self.init(name: name, starts: starts, offsets: offsets)
    }

    private static func isName(_ name: String) -> Bool {
        if TimeZone.knownTimeZoneIdentifiers.contains(where: { $0.utf8.elementsEqual(name.utf8) }) { return true }
        if namesWithoutArea.contains(where: { $0.utf8.elementsEqual(name.utf8) }) { return true }
        return name.utf8.contains(UInt8(ascii: "/")) && !name.hasPrefix("SystemV/")
    }

    // In the IANA database's file `backward`. `TimeZone` takes them, but does not list them.
    private static let namesWithoutArea = [
        "CET", "CST6CDT", "Cuba", "EET", "EST", "EST5EDT", "Egypt", "Eire", "GB", "GB-Eire", "GMT+0", "GMT-0", "GMT0",
        "Greenwich", "HST", "Hongkong", "Iceland", "Iran", "Israel", "Jamaica", "Japan", "Kwajalein", "Libya", "MET",
        "MST", "MST7MDT", "NZ", "NZ-CHAT", "Navajo", "PRC", "PST8PDT", "Poland", "Portugal", "ROC", "ROK", "Singapore",
        "Turkey", "UCT", "Universal", "W-SU", "WET", "Zulu",
    ]

    private static func offset(of zone: TimeZone, at moment: Date) -> Int64 {
        Int64(zone.secondsFromGMT(for: moment)) * 1000
    }
}
