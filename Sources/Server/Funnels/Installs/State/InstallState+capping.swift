import FlowEvents

extension InstallState {
    /// Whether the install has had too many distinct events, or too many bytes of text in them, within the days that lateness
    /// and the longest window span.
    ///
    /// - Parameter index: the index of the history, where this state has only the recent events.
    func isAbove(_ rules: CountingRules, _ index: HistoryIndex?) throws(DamagedBytes) -> Bool {
        var count = evidence.count + (index?.eventCount ?? 0)
        var bytes = index?.textByteCount ?? 0
        for day in removed.days {
            count += day.count
            bytes += day.bytes
        }
        // No text is longer than all texts together. Mostly this bound shows that the install is below the limits.
        let greatestTextCount = 2 + contents.matcher.fields.count
        let greatestByteCount =
            evidence.count * (greatestTextCount * strings.textByteCount + EventID.greatestShortCount)
        if count <= rules.bounds.evidenceLimit,
            bytes + greatestByteCount + idTexts.byteCount <= rules.bounds.evidenceByteLimit
        {
            return false
        }
        var counts = removed.days
        for day in try index?.contents().days ?? [] {
            counts.add(day: Day(number: day.day), count: day.count, bytes: day.bytes)
        }
        counts.add(evidence, of: self)
        return counts.isAbove(
            count: rules.bounds.evidenceLimit,
            bytes: rules.bounds.evidenceByteLimit,
            spanDays: rules.spanDays
        )
    }
}

extension [DayCount] {
    /// Counts events of a state, with the bytes of the texts that each refers to: the id where it is no UUID, the source, the
    /// session, and the values of the fields that funnels watch. Every event counts its texts, although the coding keeps each
    /// text once.
    mutating func add(_ events: some Sequence<Evidence>, of state: InstallState) {
        let contentBytes = (0..<state.contents.count).map { content in
            var count = 0
            state.contents.forEachText(EventContents.Index(content)) { count += state.strings.length($0) }
            return count
        }
        for event in events {
            var bytes = state.strings.length(event.source) + contentBytes[event.content.offset]
            if let session = event.session { bytes += state.strings.length(session) }
            if !event.id.isUUID { bytes += state.idTexts.withText(of: event.id) { $0.count } }
            add(day: Day(containing: Timestamp(milliseconds: event.time)), bytes: bytes)
        }
    }
}
