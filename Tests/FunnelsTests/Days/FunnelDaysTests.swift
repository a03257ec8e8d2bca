import FlowEvents
import Testing

@testable import Funnels

@Suite struct FunnelDaysTests {
    private static let hour: Int64 = 3_600_000

    @Test(
        arguments: ["UTC", "Europe/Berlin", "America/St_Johns", "Pacific/Apia", "America/Sao_Paulo", "Asia/Beirut"]
    )
    func `the bounds of days hold for every moment`(zone: String) throws {
        let table = try #require(TimeZoneTable(named: zone))
        var days = FunnelDays(table)
        for start in [1_288_915_200_000, 1_325_030_400_000, 1_772_323_200_000, 1_509_235_200_000] as [Int64] {
            let quarters: Range<Int64> = 0..<1440
            let moments = quarters.map { start + 60_001 + $0 * (Self.hour / 4) }
            let all = moments.map { days.day(of: $0) }
            for (index, moment) in moments.enumerated() where index % 7 == 0 {
                let (later, earlier) = (all[index...].min(), all[...index].max())
                #expect(days.firstDay(from: moment) <= later ?? all[index])
                #expect(days.lastDay(through: moment) >= earlier ?? all[index])
                let day = all[index]
                #expect(days.start(of: day) <= moment && moment < days.end(of: day), "\(moment)")
            }
        }
    }

    @Test func `a date that comes twice ends when it is over`() throws {
        // On 2010-11-07, clocks went back from 00:01 to 23:01 in St. John's.
        var days = FunnelDays(try #require(TimeZoneTable(named: "America/St_Johns")))
        let midnight: Int64 = 1_289_097_000_000
        #expect(days.day(of: midnight - 1).description == "2010-11-06")
        #expect(days.day(of: midnight).description == "2010-11-07")
        #expect(days.day(of: midnight + 60_000).description == "2010-11-06")
        #expect(days.firstDay(from: midnight).description == "2010-11-06")
        #expect(days.lastDay(through: midnight + 60_000).description == "2010-11-07")
        let day = days.day(of: midnight - 1)
        #expect(days.end(of: day) == midnight + Self.hour)
        #expect(days.start(of: Day(number: day.number + 1)) == midnight)
    }
}
