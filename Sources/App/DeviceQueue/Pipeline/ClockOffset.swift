import EventTracking
import FlowEvents

/// The error of a device's clock.
enum ClockOffset {
    /// Returns the milliseconds to add to the device's time; 0 if the clock is right within its tolerance.
    ///
    /// The receiver reads its clock at some time between the request and the response. The middle of the two is therefore
    /// wrong by at most half of the round trip, as in [NTP](https://www.rfc-editor.org/rfc/rfc5905#section-8).
    ///
    /// - Parameters:
    ///   - reading: the receiver's clock.
    ///   - asked: the device's clock at the time of the request.
    ///   - answered: the device's clock at the time of the response.
    ///   - tolerance: the error that is not corrected.
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

    /// Returns the event with a corrected time, and with the device's own reading in `devicetime`.
    ///
    /// - Throws: the rule that the corrected event breaks: it can be too large, or its year out of range.
    static func applied(_ milliseconds: Int64, to value: [UInt8]) throws(EventViolation) -> [UInt8] {
        var event = try Event(json: value)
        event.deviceTime = event.time
        event.time.milliseconds += milliseconds
        return try event.encoded()
    }
}
