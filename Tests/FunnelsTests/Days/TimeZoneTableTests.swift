import FlowEventTestSupport
import FlowEvents
import Foundation
import Testing

@testable import Funnels

@Suite struct TimeZoneTableTests {
    private static let names = TimeZone.knownTimeZoneIdentifiers.sorted()
    private static let day: Int64 = 86_400_000

    private static func table(_ name: String) throws -> TimeZoneTable { try #require(TimeZoneTable(named: name)) }

    private static func calendar(_ zone: TimeZone) -> Calendar {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = zone
        return calendar
    }

    /// The date that Foundation's calendar has, from 1600 on: before, that calendar is the Julian one.
    private static func date(_ calendar: Calendar, _ time: Timestamp) -> Day? {
        let date = Date(timeIntervalSince1970: TimeInterval(time.milliseconds) / 1000)
        let parts = calendar.dateComponents([.year, .month, .day], from: date)
        guard let year = parts.year, let month = parts.month, let day = parts.day else { return nil }
        return CivilDate(year: year, month: month, day: day).map { Day(number: Int32($0.daysSince1970)) }
    }

    @Test(arguments: 0..<16)
    func `each known zone has the days of Foundation's calendar`(part: Int) throws {
        var random = SeededGenerator(seed: UInt64(part))
        for name in Self.names.enumerated().filter({ $0.offset % 16 == part }).map(\.element) {
            let table = try Self.table(name)
            let zone = try #require(TimeZone(identifier: name))
            let calendar = Self.calendar(zone)
            // Each transition, the moments beside it, and random ones.
            var moments: [Int64] = []
            for start in table.starts.dropFirst().filter({ $0 < 5_000_000_000_000 }).suffix(40) {
                moments += [start - 1, start, start + 1, start - Self.day]
            }
            for _ in 0..<20 {
                moments.append(-11_676_096_000_000 + Int64(random.next() % (900 * 366 * UInt64(Self.day))))
                moments.append(Int64(random.next() % (130 * 365 * UInt64(Self.day))))
            }
            for moment in moments {
                let time = Timestamp(milliseconds: moment)
                #expect(table.day(of: time) == Self.date(calendar, time), "\(name) \(time)")
                let offset = zone.secondsFromGMT(for: Date(timeIntervalSince1970: TimeInterval(moment) / 1000))
                #expect(table.interval(containing: time).offset == Int64(offset) * 1000, "\(name) \(time)")
            }
        }
    }

    @Test(arguments: ["Europe/Berlin", "America/St_Johns", "Africa/Casablanca", "Pacific/Apia", "Asia/Tokyo", "UTC"])
    func `an interval holds all moments of one offset, and the next one begins at its end`(name: String) throws {
        let table = try Self.table(name)
        var moment: Int64 = .min
        var count = 0
        while moment < Timestamp.writable.upperBound.milliseconds, count < 20_000 {
            let interval = table.interval(containing: Timestamp(milliseconds: moment))
            #expect(interval.start == moment && interval.end > moment)
            #expect(table.interval(containing: Timestamp(milliseconds: interval.end - 1)).offset == interval.offset)
            moment = interval.end
            count += 1
        }
        #expect(moment > Timestamp.writable.upperBound.milliseconds)
    }

    @Test(arguments: ["Europe/Berlin", "America/Santiago", "Australia/Lord_Howe"])
    func `after the year 2500 the rules go on`(name: String) throws {
        let table = try Self.table(name)
        let calendar = Self.calendar(try #require(TimeZone(identifier: name)))
        var random = SeededGenerator(seed: 5)
        for _ in 0..<500 {
            // To the year 9999.
            let time = Timestamp(milliseconds: TimeZoneTable.end + Int64(random.next() % 236_600_000_000_000))
            #expect(table.day(of: time) == Self.date(calendar, time), "\(time)")
        }
    }

    @Test func `no moment crashes`() throws {
        for name in Self.names + ["UTC"] {
            let table = try Self.table(name)
            for time in [Timestamp.writable.lowerBound, Timestamp.writable.upperBound] {
                for shift in [-Self.day, 0, Self.day] {
                    let moment = Timestamp(milliseconds: time.milliseconds + shift)
                    let day = table.day(of: moment)
                    #expect(table.start(of: day) <= moment && moment < table.end(of: Day(number: day.number + 1)))
                }
            }
            for moment in [Int64.min, .max] { _ = table.interval(containing: Timestamp(milliseconds: moment)) }
        }
    }

    @Test(arguments: 0..<8)
    func `a day begins at the first moment that has it or a later one`(part: Int) throws {
        for name in Self.names.enumerated().filter({ $0.offset % 8 == part }).map(\.element) {
            let table = try Self.table(name)
            // The days around the last transitions until 2033, and a plain one.
            var days: Set<Day> = []
            for moment in [0] + table.starts.dropFirst().filter({ $0 < 2_000_000_000_000 }).suffix(6) {
                let day = table.day(of: Timestamp(milliseconds: moment)).number
                for number in (day - 2)...(day + 2) { days.insert(Day(number: number)) }
            }
            for day in days {
                let start = table.start(of: day)
                #expect(table.day(of: start) >= day, "\(name) \(day)")
                // Every quarter of an hour of the 26 hours before it.
                let from = start.milliseconds - 26 * 3_600_000
                for moment in stride(from: from, to: start.milliseconds, by: 900_000) {
                    guard table.day(of: Timestamp(milliseconds: moment)) >= day else { continue }
                    Issue.record("\(name): \(day) begins before \(start)")
                    break
                }
            }
        }
    }

    @Test(arguments: [
        // Clocks went from 23:59:59 on the 29th to 00:00 on the 31st.
        ("Pacific/Apia", "2011-12-29", "2011-12-29T10:00:00Z", "2011-12-30T10:00:00Z"),
        ("Pacific/Apia", "2011-12-30", "2011-12-30T10:00:00Z", "2011-12-30T10:00:00Z"),
        ("Pacific/Apia", "2011-12-31", "2011-12-30T10:00:00Z", "2011-12-31T10:00:00Z"),
        // The day began at 01:00.
        ("America/Sao_Paulo", "2018-11-04", "2018-11-04T03:00:00Z", "2018-11-05T02:00:00Z"),
        // At midnight clocks went back to 23:00 of the same day.
        ("America/Sao_Paulo", "2018-02-17", "2018-02-17T02:00:00Z", "2018-02-18T03:00:00Z"),
        ("Asia/Beirut", "2022-03-27", "2022-03-26T22:00:00Z", "2022-03-27T21:00:00Z"),
        // One minute after midnight clocks went back to 23:01: the day ended when the next date first began.
        ("America/St_Johns", "2010-11-06", "2010-11-06T02:30:00Z", "2010-11-07T02:30:00Z"),
        ("Europe/Berlin", "2026-03-29", "2026-03-28T23:00:00Z", "2026-03-29T22:00:00Z"),
        ("Europe/Berlin", "2026-10-25", "2026-10-24T22:00:00Z", "2026-10-25T23:00:00Z"),
        ("UTC", "2026-10-25", "2026-10-25T00:00:00Z", "2026-10-26T00:00:00Z"),
    ])
    func `days that clocks cut short, double or skip`(name: String, day: String, start: String, end: String) throws {
        let table = try Self.table(name)
        let day = try #require(Day(day))
        #expect(table.start(of: day) == Timestamp(start))
        #expect(table.end(of: day) == Timestamp(end))
    }

    @Test func `a table is read as it was written, for each zone`() throws {
        for name in Self.names + ["UTC"] {
            let table = try Self.table(name)
            #expect(try TimeZoneTable(decoding: table.encoded) == table)
            #expect(table.encoded.count < 40_000)
        }
    }

    /// If this fails, this build may not read the tables in the stores of older builds. Raise the version of both stores.
    @Test func `a table keeps its form`() throws {
        let table = TimeZoneTable(name: "Area/City", starts: [.min, -1000, 5000], offsets: [60_000, 3_600_000, -1000])
        #expect(
            String(decoding: table.encoded, as: UTF8.self)
                == #"{"name":"Area/City","offsets":[60000,3600000,-1000],"starts":[-9223372036854775808,-1000,5000]}"#
        )
    }

    @Test func `damaged bytes of a table are refused`() throws {
        let bytes = try Self.table("Asia/Tokyo").encoded
        for count in bytes.indices {
            #expect(throws: DamagedTimeZoneTable.self) { try TimeZoneTable(decoding: Array(bytes[..<count])) }
        }
        #expect(throws: DamagedTimeZoneTable.self) { try TimeZoneTable(decoding: bytes + [0]) }
        var random = SeededGenerator(seed: 1)
        for _ in 0..<5000 {
            var damaged = bytes
            damaged[Int(random.next() % UInt64(bytes.count))] = UInt8(truncatingIfNeeded: random.next())
            guard let table = try? TimeZoneTable(decoding: damaged) else { continue }
            _ = table.start(of: table.day(of: Timestamp(milliseconds: 0)))
        }
    }

    @Test(arguments: ["Mars/Olympus", "", "europe/berlin", "Europe/Berlin ", "PST", "GMT+3", "+01:00", "utc", "Z"])
    func `an unknown name is refused`(name: String) {
        let error = #expect(throws: FunnelDefinitionError.self) { try FunnelTimeZone(name) }
        #expect(error?.message.contains("'\(name)'") ?? false)
    }

    @Test(arguments: [("CET", "Europe/Brussels"), ("Japan", "Asia/Tokyo"), ("PST8PDT", "America/Los_Angeles")])
    func `a name of the IANA database without an area has its days`(name: String, same: String) throws {
        #expect(try FunnelTimeZone(name).name == name)
        let (zone, other) = (try #require(TimeZoneTable(named: name)), try #require(TimeZoneTable(named: same)))
        // From 2020 to 2029.
        for day in (18_262 as Int32)..<21_915 {
            #expect(zone.start(of: Day(number: day)) == other.start(of: Day(number: day)))
        }
    }

    @Test(arguments: ["UTC", "Etc/UTC", "Etc/GMT", "GMT", "Zulu", "Universal", "GMT0"])
    func `a zone that is always UTC is UTC`(name: String) throws {
        #expect(try FunnelTimeZone(name) == .utc)
        #expect(TimeZoneTable.utc.day(of: Timestamp(milliseconds: -1)) == Day(number: -1))
    }
}
