import EventTracking
import FlowEvents

/// By how much a device's clock is off.
enum ClockOffset {
    /// What has to be added to the device's time, in milliseconds; 0 where it is right, as far as can be known.
    ///
    /// The other side has read its clock at some time between the question and the answer, so the middle is off by half
    /// of that at most, as in [NTP](https://www.rfc-editor.org/rfc/rfc5905#section-8).
    ///
    /// - Parameters:
    ///   - reading: the other side's clock.
    ///   - asked: the device's clock when the question left.
    ///   - answered: the device's clock when the answer was there.
    ///   - tolerance: a clock that is off by no more than this is right.
    static func milliseconds(
        reading: Timestamp,
        asked: Timestamp,
        answered: Timestamp,
        tolerance: Duration
    ) -> Int64 {
        let half = max(0, answered.milliseconds - asked.milliseconds) / 2
        let offset = reading.milliseconds - asked.milliseconds - half
        return offset.magnitude > UInt64(tolerance.wholeMilliseconds + half) ? offset : 0
    }

    /// The same event with its time put right, and the device's own reading beside it.
    ///
    /// - Throws: the rule that the corrected event breaks: it may be too large, or its year one that cannot be written.
    static func applied(_ milliseconds: Int64, to value: [UInt8]) throws(EventViolation) -> [UInt8] {
        var event = try Event(json: value)
        event.deviceTime = event.time
        event.time.milliseconds += milliseconds
        return try event.encoded()
    }
}
