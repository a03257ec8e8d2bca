internal import FlowEvents

/// What is known of an install's events. It tells whether the next one looks right.
///
/// An event that looks wrong here breaks no rule of the format, and counts. But it probably does not say what the app's
/// developer means.
struct InstallJournal: Sendable {
    private static let idLimit = 256
    private static let presentationLimit = 64
    private static let gapLimit = 16
    /// How far a clock may be off before a finding says so, in milliseconds. Phones keep time to well below it.
    private static let clockTolerance: Int64 = 5_000
    /// How much earlier an event may be than the one with the number before, in milliseconds.
    private static let orderTolerance: Int64 = 1_000

    private var last: (sequence: Int64, time: Timestamp)?
    /// The numbers that are missing.
    private var gaps: [ClosedRange<Int64>] = []
    private var ids = RecentValues(limit: idLimit)
    private var presentations = RecentValues(limit: presentationLimit)
    /// The lowest number of which is known whether it was seen.
    private var first: Int64 = 0
    /// Whether all events of the install were seen. Then a paywall that is not known was never shown.
    private var isWhole: Bool { last != nil && first == 0 && gaps.isEmpty }

    /// Takes the next event of the install.
    ///
    /// - Returns: what is wrong with it.
    mutating func take(_ event: LiveEvent) -> [Finding] {
        let isRepeated = ids.contains(event.name)
        ids.insert(event.name)
        // What is wrong with its content was said the first time.
        if isRepeated { return [Finding(.repeated, "the same source and id came before: the event counts once")] }
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
            self.last = (sequence, time)
            first = sequence
            return nil
        }
        guard sequence > last.sequence else { return takeEarlier(sequence) }
        self.last = (sequence, time)
        guard sequence == last.sequence + 1 else {
            let missing = last.sequence + 1...sequence - 1
            addGap(missing)
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

    /// Takes a number that is not greater than the last one. It was seen before, closes a gap, or is from before the first
    /// event that was seen.
    private mutating func takeEarlier(_ sequence: Int64) -> Finding? {
        if sequence < first {
            let between = sequence + 1..<first
            first = sequence
            if !between.isEmpty { addGap(ClosedRange(between)) }
            return nil
        }
        guard let index = gaps.firstIndex(where: { $0.contains(sequence) }) else {
            return Finding(
                .repeated,
                "sequence \(sequence) came before, with another id: two trackers number the events of one install"
            )
        }
        let gap = gaps.remove(at: index)
        if sequence > gap.lowerBound { addGap(gap.lowerBound...sequence - 1) }
        if sequence < gap.upperBound { addGap(sequence + 1...gap.upperBound) }
        return nil
    }

    /// Adds a gap. Where there are too many, what lies below the lowest is as good as never seen.
    private mutating func addGap(_ gap: ClosedRange<Int64>) {
        gaps.append(gap)
        guard gaps.count > Self.gapLimit,
            let lowest = gaps.indices.min(by: { gaps[$0].lowerBound < gaps[$1].lowerBound })
        else { return }
        first = gaps.remove(at: lowest).upperBound + 1
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
    /// What names the event within its install: its source and its id.
    fileprivate var name: String? { id.map { "\(source ?? "") \($0)" } }

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
