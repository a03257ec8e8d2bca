extension Duration {
    /// The duration in whole milliseconds, rounded toward zero; the nearest `Int64` where it is beyond that range.
    package var wholeMilliseconds: Int64 {
        // Without a division of 128 bits, for durations of up to three days: 10¹⁵ is 2¹⁵ times 5¹⁵.
        if #available(iOS 18, macOS 15, tvOS 18, watchOS 11, visionOS 2, *),
            let part = Int64(exactly: attoseconds / 32_768)
        {
            return part / 30_517_578_125
        }
        let (seconds, attoseconds) = components
        let (whole, overflow) = seconds.multipliedReportingOverflow(by: 1000)
        let (sum, sumOverflow) = whole.addingReportingOverflow(attoseconds / 1_000_000_000_000_000)
        return overflow || sumOverflow ? (seconds < 0 ? .min : .max) : sum
    }
}
