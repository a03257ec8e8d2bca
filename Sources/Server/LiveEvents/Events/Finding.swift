/// Something that is wrong with an event, or that looks wrong, in words for the developer of the app.
package struct Finding: Sendable, Hashable {
    /// What kind of mistake it is.
    package enum Kind: String, Sendable, Hashable, CaseIterable {
        /// The collector answered a whole request with an error.
        case refusedRequest = "request refused"
        /// The collector rejected the event.
        case rejected
        /// The event is in the dead-letter topic.
        case deadLetter = "dead letter"
        /// Events of the install are missing before this one.
        case gap
        /// The number of the event, or the event itself, came before.
        case repeated = "repeat"
        /// The device's clock is off.
        case clock
        /// A paywall does not say where it was opened from.
        case noSource = "no source"
        /// A purchase does not say which presentation of a paywall it belongs to.
        case noPresentation = "no presentation"
        /// No funnel and no list of known screens names the screen.
        case unknownScreen = "unknown screen"
    }

    /// What kind of mistake it is.
    package let kind: Kind
    /// What was found, and what to do about it.
    package let detail: String

    /// Creates a finding.
    package init(_ kind: Kind, _ detail: String) {
        self.kind = kind
        self.detail = detail
    }
}
