import FlowEvents
import FunnelReports
import Testing

@testable import Funnels

@Suite struct CSVReportTests {
    private static let header =
        "funnel,breakdown,step,name,count,conversion_from_first,conversion_from_previous,"
        + "median_ms_from_first,median_ms_from_previous\n"

    @Test func `one row for each funnel, breakdown value and step`() throws {
        let text = CSVReport.render(try ExampleReport.make())
        #expect(
            text == Self.header + """
                home-to-paywall,,1,home,36,1.0,1.0,,
                home-to-paywall,,2,paywall,24,0.6667,0.6667,400000,400000
                profile-to-paywall,,1,profile,31,1.0,1.0,,
                profile-to-paywall,,2,paywall,17,0.5484,0.5484,68500,68500
                paywall-to-purchase,,1,paywall,49,1.0,1.0,,
                paywall-to-purchase,,2,purchase,22,0.449,0.449,4001,4001
                paywall-to-purchase,home,1,paywall,37,1.0,1.0,,
                paywall-to-purchase,home,2,purchase,17,0.4595,0.4595,3789,3789
                paywall-to-purchase,profile,1,paywall,19,1.0,1.0,,
                paywall-to-purchase,profile,2,purchase,5,0.2632,0.2632,64099,64099
                paywall-to-purchase,settings,1,paywall,18,1.0,1.0,,
                paywall-to-purchase,settings,2,purchase,9,0.5,0.5,4001,4001

                """
        )
    }

    @Test func `what would break a row is quoted, and an empty value is not the whole`() throws {
        let names = ["a,b", "say \"x\"", "two\r\nlines"]
        let funnel = try ExampleReport.funnel("f", by: "k", steps: names)
        let part = BreakdownResult(value: "", steps: ExampleReport.steps(["s"], [1], nil))
        let result = ExampleReport.result(funnel, [0, 0, 0], nil, breakdown: [part])
        let text = CSVReport.render(FunnelReport(funnels: [result], quality: Quality()))
        let rows =
            "f,,1,\"a,b\",0,,,,\nf,,2,\"say \"\"x\"\"\",0,,,,\nf,,3,\"two\r\nlines\",0,,,,\nf,\"\",1,s,1,1.0,1.0,,\n"
        #expect(text == Self.header + rows)
    }

    @Test(arguments: ["=", "+", "-", "@"])
    func `a spreadsheet reads no cell as a formula`(sign: String) throws {
        let funnel = try ExampleReport.funnel(sign == "-" ? "-f" : "f", by: "k", steps: ["\(sign)1,2"])
        let steps = ExampleReport.steps(["\(sign)1,2"], [1], nil)
        let values = ["\(sign)cmd|' /C calc'!A0", "\(sign)\u{338}", "'\(sign)", " \(sign)"]
        let parts = values.map { BreakdownResult(value: .text($0), steps: steps) }
        let result = ExampleReport.result(funnel, [1], nil, breakdown: parts)
        let text = CSVReport.render(FunnelReport(funnels: [result], quality: Quality()))
        let name = sign == "-" ? "'-f" : "f"
        let cells = ["", "'\(sign)cmd|' /C calc'!A0", "'\(sign)\u{338}", "'\(sign)", " \(sign)"]
        let rows = cells.map { "\(name),\($0),1,\"'\(sign)1,2\",1,1.0,1.0,,\n" }
        #expect(text == Self.header + rows.joined())
    }

    @Test func `values that are left out have no row`() throws {
        let funnel = try ExampleReport.funnel("f", by: "k", steps: ["s"])
        let part = BreakdownResult(value: "v", steps: ExampleReport.steps(["s"], [1], nil))
        var result = ExampleReport.result(funnel, [2], nil, breakdown: [part])
        result.valuesLeftOut = 299_000
        let text = CSVReport.render(FunnelReport(funnels: [result], quality: Quality()))
        #expect(text.hasSuffix("f,v,1,s,1,1.0,1.0,,\n"))
    }

    @Test func `with a trend, each row begins with its days`() throws {
        let text = CSVReport.render(try ExampleReport.full())
        let rows = text.split(separator: "\n").map(String.init)
        #expect(rows[0] + "\n" == "from,to," + Self.header)
        // The whole and three values of the breakdown with two steps each, and the seven days.
        #expect(rows.count == 1 + 2 + 6 + 14)
        #expect(rows[1] == "2026-11-14,2026-11-20,paywall-to-purchase,,1,paywall,4061,1.0,1.0,,")
        #expect(rows[3] == "2026-11-14,2026-11-20,paywall-to-purchase,home,1,paywall,37,1.0,1.0,,")
        #expect(rows[10] == "2026-11-14,2026-11-14,paywall-to-purchase,,2,purchase,78,0.1345,0.1345,4001,4001")
        #expect(rows[22] == "2026-11-20,2026-11-20,paywall-to-purchase,,2,purchase,22,0.0705,0.0705,4001,4001")
    }

    @Test func `a trend of all days has no days in the rows of the whole`() throws {
        var report = try ExampleReport.full()
        (report.funnels[0].from, report.funnels[0].to) = (nil, nil)
        #expect(CSVReport.render(report).contains("\n,,paywall-to-purchase,,1,paywall,4061,"))
    }
}

extension CSVReportTests {
    @Test(arguments: ["\t", "\r"])
    func `a cell that begins with a tab or a carriage return is no formula either`(sign: String) throws {
        let funnel = try ExampleReport.funnel("f", by: "k", steps: ["s"])
        let part = BreakdownResult(value: .text("\(sign)=1"), steps: ExampleReport.steps(["s"], [1], nil))
        let result = ExampleReport.result(funnel, [1], nil, breakdown: [part])
        let text = CSVReport.render(FunnelReport(funnels: [result], quality: Quality()))
        #expect(text.contains("'\(sign)=1"))
    }

    @Test func `a column tells all actors from those of the empty value`() throws {
        let funnel = try ExampleReport.funnel("f", by: "k", steps: ["s"])
        let part = BreakdownResult(value: .text(""), steps: ExampleReport.steps(["s"], [1], nil))
        let result = ExampleReport.result(funnel, [2], nil, breakdown: [part])
        let text = CSVReport.render(FunnelReport(funnels: [result], quality: Quality()), hasAllColumn: true)
        let lines = text.split(separator: "\n").map(String.init)
        #expect(lines[0].hasPrefix("funnel,breakdown,all,step,name,count,"))
        #expect(lines[1].hasPrefix("f,,true,1,s,2,") && lines[2].hasPrefix(#"f,"",false,1,s,1,"#))
    }
}
