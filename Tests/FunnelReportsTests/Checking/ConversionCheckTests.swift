import FlowEvents
import FunnelReports
import Testing

@testable import Funnels

@Suite struct ConversionCheckTests {
    private static let day: Int64 = 86_400_000

    /// 3 of 10 in ten times as many, settled up to day 100.
    private static func result(_ counts: [Int] = [100, 60, 30], settledTo: Int32? = 100) throws -> FunnelResult {
        let funnel = try ExampleReport.funnel("f", steps: ["home", "paywall", "purchase"])
        var result = ExampleReport.result(funnel, counts, nil)
        result.states.settledTo = settledTo.map { Day(number: $0) }
        return result
    }

    private static func outcome(
        _ check: ConversionCheck,
        _ result: FunnelResult,
        at now: Int64 = 102 * day,
        _ timeZones: TimeZoneTables = TimeZoneTables()
    ) throws -> String {
        switch try check.outcome(of: result, at: Timestamp(milliseconds: now), timeZones) {
        case .within: "within"
        case .outside: "outside"
        case .undecided: "undecided"
        }
    }

    @Test(
        arguments: [
            (0.3, nil, "within"), (nil, 0.3, "within"), (0.3, 0.3, "within"), (0.3001, nil, "outside"),
            (nil, 0.2999, "outside"), (0.1, 0.5, "within"), (nil, nil, "within"), (0.5, 0.9, "outside"),
        ] as [(Double?, Double?, String)]
    )
    func `the conversion must lie within the bounds, which are included`(
        minimum: Double?,
        maximum: Double?,
        expected: String
    ) throws {
        let check = ConversionCheck(step: "purchase", minimum: minimum, maximum: maximum)
        #expect(try Self.outcome(check, Self.result()) == expected)
    }

    @Test func `the conversion is not rounded, and another step can be its base`() throws {
        let result = try Self.result([30_000, 20_000, 10_000])
        #expect(try Self.outcome(ConversionCheck(step: "purchase", minimum: 1.0 / 3), result) == "within")
        #expect(try Self.outcome(ConversionCheck(step: "purchase", minimum: 0.33334), result) == "outside")
        #expect(try Self.outcome(ConversionCheck(step: "purchase", base: "paywall", minimum: 0.5), result) == "within")
    }

    @Test func `too few actors, no settled day and old days decide nothing`() throws {
        let check = ConversionCheck(step: "paywall", minimum: 0.9)
        #expect(try Self.outcome(check, Self.result([29, 1, 0])) == "undecided")
        #expect(try Self.outcome(check, Self.result([30, 1, 0])) == "outside")
        #expect(try Self.outcome(check, Self.result(settledTo: nil)) == "undecided")
        // The window of 30 minutes and 3 days after the end of day 100.
        let last = 104 * Self.day + 1_800_000
        #expect(try Self.outcome(check, Self.result(), at: last) == "outside")
        #expect(try Self.outcome(check, Self.result(), at: last + 1) == "undecided")
        var week = check
        week.maximumAge = 7 * Self.day
        #expect(try Self.outcome(week, Self.result(), at: 108 * Self.day) == "outside")
        #expect(try Self.outcome(week, Self.result(), at: 108 * Self.day + 1) == "undecided")
    }

    @Test func `a day ends where the store's time zone has its end, whatever this machine says`() throws {
        var result = try Self.result()
        result.funnel = try Funnel(
            name: "f",
            window: .seconds(1800),
            timeZone: FunnelTimeZone(stored: "Europe/Berlin"),
            steps: result.funnel.steps
        )
        let check = ConversionCheck(step: "paywall", minimum: 0.9)
        let hour: Int64 = 3_600_000
        for offset in [-3, 14] {
            var timeZones = TimeZoneTables()
            timeZones.set(TimeZoneTable(name: "Europe/Berlin", starts: [.min], offsets: [Int64(offset) * hour]))
            let last = 104 * Self.day + 1_800_000 - Int64(offset) * hour
            #expect(try Self.outcome(check, result, at: last, timeZones) == "outside", "\(offset)")
            #expect(try Self.outcome(check, result, at: last + 1, timeZones) == "undecided", "\(offset)")
        }
    }

    @Test func `the sentence has the figures`() throws {
        let check = ConversionCheck(step: "purchase", minimum: 0.5, maximum: 0.9)
        let now = Timestamp(milliseconds: 102 * Self.day)
        let outcome = try check.outcome(of: Self.result(), at: now, TimeZoneTables())
        let text = "purchase of home is 0.3 (30 of 100 installs), expected at least 0.5 and at most 0.9, all days"
        #expect(outcome == .outside(text))
    }

    @Test func `steps that are not in that order are a mistake`() throws {
        let funnel = try Self.result().funnel
        #expect(throws: ConversionCheckError.unknownStep("buy", known: ["home", "paywall", "purchase"])) {
            try ConversionCheck(step: "buy").indexes(in: funnel)
        }
        #expect(throws: ConversionCheckError.stepNotAfter("paywall", "purchase")) {
            try ConversionCheck(step: "paywall", base: "purchase").indexes(in: funnel)
        }
        #expect(throws: ConversionCheckError.stepNotAfter("home", "home")) {
            try ConversionCheck(step: "home").indexes(in: funnel)
        }
    }
}

/// Checks of funnels with optional steps.
@Suite struct OptionalStepCheckTests {
    private static func outcome(_ step: String, of base: String?) throws -> ConversionCheck.Outcome {
        var result = try ExampleQuestions.report().funnels[0]
        result.states.settledTo = Day(number: 100)
        return try ConversionCheck(step: step, base: base)
            .outcome(of: result, at: Timestamp(milliseconds: 102 * 86_400_000), TimeZoneTables())
    }

    @Test func `an optional step is checked like any other`() throws {
        #expect(try Self.outcome("tour", of: nil) == .within("tour of home is 0.42 (420 of 1,000 installs), all days"))
    }

    @Test func `of an optional step, those count who met it`() throws {
        #expect(
            try Self.outcome("paywall", of: "tour")
                == .within("paywall of tour is 0.619 (260 of 420 installs), all days")
        )
    }

    @Test func `of an optional step, no other step is known than the one behind it`() throws {
        #expect(throws: ConversionCheckError.optionalBase("tour", next: "paywall")) {
            _ = try Self.outcome("purchase", of: "tour")
        }
    }
}
