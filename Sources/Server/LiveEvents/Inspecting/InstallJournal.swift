internal import FlowEvents

/// What was seen of an install, so far as it tells whether its next event is right.
///
/// The rules of an event are the collector's and the consumer's. What is found here breaks none of them: the event counts,
/// and what it says about the app is probably not what its developer means.
struct InstallJournal: Sendable {
    private static let idLimit = 256
    private static let presentationLimit = 64
    private static let gapLimit = 16
    /// How far a clock may be off before a finding says so, in milliseconds. Phones keep time to well below it.
    private static let clockTolerance: Int64 = 5_000
    /// How far an event may lie before the one that was numbered before it, in milliseconds.
    private static let orderTolerance: Int64 = 1_000

    private var last: (sequence: Int64, time: Timestamp)?
    /// The numbers that are missing.
    private var gaps: [ClosedRange<Int64>] = []
    private var ids = RecentValues(limit: idLimit)
    private var presentations = RecentValues(limit: presentationLimit)
    /// Whether the first event of the install was seen, so that what is not known was not there.
    private var isWhole = false

    /// Takes the next event of the install.
    ///
    /// - Returns: what is wrong with it.
    mutating func take(_ event: LiveEvent) -> [Finding] {
        let isRepeated = ids.contains(event.id)
        ids.insert(event.id)
        // What is wrong with its content was said the first time.
        if isRepeated { return [Finding(.repeated, "the same id came before: it counts once")] }
        var findings: [Finding] = []
        if let sequence = event.sequence, let finding = order(sequence, event) { findings.append(finding) }
        if let finding = clock(event) { findings.append(finding) }
        if let finding = paywall(event) { findings.append(finding) }
        if let finding = purchase(event) { findings.append(finding) }
        presentations.insert(event.presentationID)
        return findings
    }

    private mutating func order(_ sequence: Int64, _ event: LiveEvent) -> Finding? {
        guard let time = event.time else { return nil }
        guard let last else {
            isWhole = sequence == 0
            self.last = (sequence, time)
            return nil
        }
        guard sequence > last.sequence else {
            if fill(sequence) { return nil }
            return Finding(
                .repeated,
                "sequence \(sequence) came before, with another id: two trackers number the events of one install"
            )
        }
        self.last = (sequence, time)
        guard sequence == last.sequence + 1 else {
            let missing = last.sequence + 1...sequence - 1
            gaps.append(missing)
            if gaps.count > Self.gapLimit { gaps.removeFirst() }
            let names =
                missing.count == 1 ? "\(missing.lowerBound) is" : "\(missing.lowerBound) to \(missing.upperBound) are"
            return Finding(.gap, "sequence \(names) missing: lost, rejected, or still on the way")
        }
        let back = last.time.milliseconds - time.milliseconds
        guard back > Self.orderTolerance else { return nil }
        return Finding(
            .clock,
            "the time is \(DurationText.about(back)) before that of sequence \(last.sequence): somebody set the clock back"
        )
    }

    /// Takes a number out of the gaps.
    ///
    /// - Returns: whether it was missing.
    private mutating func fill(_ sequence: Int64) -> Bool {
        guard let index = gaps.firstIndex(where: { $0.contains(sequence) }) else { return false }
        let gap = gaps.remove(at: index)
        if sequence > gap.lowerBound { gaps.append(gap.lowerBound...sequence - 1) }
        if sequence < gap.upperBound { gaps.append(sequence + 1...gap.upperBound) }
        return true
    }

    private func clock(_ event: LiveEvent) -> Finding? {
        guard let time = event.time else { return nil }
        let ahead = time.milliseconds - event.arrival.milliseconds
        if ahead > Self.clockTolerance {
            return Finding(.clock, "the time is \(DurationText.about(ahead)) in the future: the device's clock is fast")
        }
        guard let device = event.deviceTime else { return nil }
        let offset = device.milliseconds - time.milliseconds
        guard abs(offset) > Self.clockTolerance else { return nil }
        let text = "\(DurationText.about(abs(offset))) \(offset > 0 ? "fast" : "slow")"
        return Finding(.clock, "the device's clock is \(text); the time was corrected before it was sent")
    }

    private func paywall(_ event: LiveEvent) -> Finding? {
        guard event.paywallSource == nil, event.isOfPaywall else { return nil }
        return Finding(
            .noSource,
            "the paywall has no paywall_source: present it with a flow that is `attributed(to:by:)`, so that it counts for "
                + "where it was opened"
        )
    }

    private func purchase(_ event: LiveEvent) -> Finding? {
        guard let type = event.type, ["purchase", "purchase_pending", "purchase_canceled"].contains(type) else {
            return nil
        }
        guard let presentation = event.presentationID else {
            return Finding(
                .noPresentation,
                "no presentation_id: no paywall gets this purchase. Send it with the paywall's presentation"
            )
        }
        guard isWhole, !presentations.contains(presentation) else { return nil }
        return Finding(.noPresentation, "the install has shown no paywall with this presentation_id")
    }
}

extension LiveEvent {
    /// Whether the event is the view or the end of a paywall.
    fileprivate var isOfPaywall: Bool {
        switch type {
        case "paywall_close": true
        case "screen_view": presentationID != nil || (screen?.lowercased().contains("paywall") ?? false)
        default: false
        }
    }
}

/// The newest values of a kind, by their hashes. A value that is forgotten counts as new; hashes of 64 bits are as good as
/// the values for a page that people look at.
private struct RecentValues: Sendable {
    private var hashes: Set<Int> = []
    private var order: [Int] = []
    private var oldest = 0
    private let limit: Int

    init(limit: Int) {
        self.limit = limit
    }

    func contains(_ value: String?) -> Bool { value.map { hashes.contains($0.hashValue) } ?? false }

    mutating func insert(_ value: String?) {
        guard let hash = value?.hashValue, hashes.insert(hash).inserted else { return }
        if order.count < limit { return order.append(hash) }
        hashes.remove(order[oldest])
        order[oldest] = hash
        oldest = (oldest + 1) % limit
    }
}
