package import EventReader
package import FlowEvents
package import Funnels

/// Turns the values of records into live events, with the steps that they meet and what is wrong with them.
///
/// ```swift
/// let inspector = EventInspector(funnels: funnels, screens: screens)
/// if let event = inspector.inspect(value, arrival: timestamp) { feed.append(event) }
/// ```
///
/// It remembers a thousand installs; of one that it has forgotten it takes the next event as the first. An inspector belongs
/// to one thread at a time.
package final class EventInspector {
    private static let installLimit = 1_000

    private let finder: StepFinder
    private let reader: EventReader
    private let screens: KnownScreens
    private let scratch = JSONScratch()
    // By the bytes of the install: ids can be equal as strings although their bytes differ.
    private var journals: [[UInt8]: (journal: InstallJournal, lastUse: Int)] = [:]
    private var useCount = 0

    /// Creates an inspector.
    ///
    /// - Parameters:
    ///   - funnels: the funnels, whose steps events meet.
    ///   - screens: the screens that are known; all others are findings.
    package init(funnels: [Funnel], screens: KnownScreens) {
        finder = StepFinder(funnels: funnels)
        reader = EventReader(fields: finder.fields)
        self.screens = screens
    }

    /// Inspects the value of a record of the topic.
    ///
    /// - Parameters:
    ///   - value: the value.
    ///   - arrival: the timestamp of the record.
    ///   - attributes: returns the attributes of binary mode, see `EventReader.rewritten(_:after:attributes:)`.
    /// - Returns: `nil` for a value that is no event: the consumer sends it to the dead-letter topic.
    package func inspect(
        _ value: UnsafeRawBufferPointer,
        arrival: Timestamp,
        attributes: () -> [ForeignEvent.Attribute] = { [] }
    ) -> LiveEvent? {
        switch inspect(valid: value, arrival: arrival) {
        case .valid(let event): event
        case .deadLetter(let violation):
            reader.rewritten(value, after: violation, attributes: attributes)?.withUnsafeBytes { other in
                if case .valid(let event) = inspect(valid: other, arrival: arrival) { event } else { nil }
            }
        }
    }

    private func inspect(valid value: UnsafeRawBufferPointer, arrival: Timestamp) -> EventReading<LiveEvent> {
        let reading = reader.read(value, recordTimestamp: arrival) { finder.steps(type: $0.type, $0.values) }
        switch reading {
        case .deadLetter(let violation): return .deadLetter(violation)
        case .valid(let steps):
            var event = LiveEvent(value, arrival: arrival)
            event.steps = steps
            // The reader has read it, so it is JSON.
            if let raw = try? RawEvent(reading: value, scratch) { event.take(raw) }
            event.findings = findings(event)
            return .valid(event)
        }
    }

    private func findings(_ event: LiveEvent) -> [Finding] {
        guard let install = event.installID.map({ Array($0.utf8) }) else { return [] }
        if event.type == ErasureRequest.eventType {
            journals[install] = nil
            return []
        }
        useCount += 1
        if journals[install] == nil, journals.count >= Self.installLimit { forgetOldest() }
        var findings = journals[install, default: (InstallJournal(), 0)].journal.take(event)
        journals[install]?.lastUse = useCount
        if event.type == "screen_view", let screen = event.screen, !screens.contains(screen) {
            findings.append(
                Finding(
                    .unknownScreen,
                    "no funnel and no list of known screens names '\(screen)'; --screens takes a file of names"
                )
            )
        }
        return findings
    }

    /// Forgets the half that was not seen for the longest time, so that it need not search again soon.
    private func forgetOldest() {
        let median = journals.values.map(\.lastUse).sorted()[journals.count / 2]
        journals = journals.filter { $0.value.lastUse > median }
    }
}
