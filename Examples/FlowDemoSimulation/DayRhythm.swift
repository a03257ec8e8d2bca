import FlowEvents

/// When people use their phones: rarely at night, most often in the evening.
enum DayRhythm {
    /// The weight of each hour in UTC, from 0 to 1.
    private static let hours = [
        0.10, 0.05, 0.03, 0.02, 0.03, 0.08, 0.25, 0.50, 0.60, 0.55, 0.50, 0.55,
        0.70, 0.65, 0.55, 0.50, 0.55, 0.65, 0.80, 0.95, 1.00, 0.90, 0.60, 0.30,
    ]

    /// Returns the moment, or with a probability that depends on the hour, one that is some hours later.
    static func settle(_ moment: Timestamp, using random: inout some RandomNumberGenerator) -> Timestamp {
        var moment = moment
        // No hour has the weight 0, so this ends.
        while Double.random(in: 0..<1, using: &random) >= weight(at: moment) { moment.milliseconds += 3_600_000 }
        return moment
    }

    private static func weight(at moment: Timestamp) -> Double {
        let hour = moment.milliseconds / 3_600_000 % 24
        return hours[Int((hour + 24) % 24)]
    }
}
