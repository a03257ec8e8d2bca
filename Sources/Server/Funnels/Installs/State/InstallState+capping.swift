import FlowEvents

extension InstallState {
    /// Whether the install has had too many distinct matching events, or too many bytes of text in them, within the
    /// days that lateness and the longest window span.
    ///
    /// - Parameter catalog: the catalog of the blocks, where this state has only the recent evidence.
    func isAbove(_ rules: CountingRules, catalog: CatalogView?) throws(DamagedBytes) -> Bool {
        var count = evidence.count + (catalog?.eventCount ?? 0)
        var bytes = catalog?.textByteCount ?? 0
        for day in removed.days {
            count += day.count
            bytes += day.bytes
        }
        // No text is longer than all texts together. Mostly this bound shows that the install is below the limits.
        let greatestTextCount = 2 + contents.matcher.fields.count
        let greatestByteCount =
            evidence.count * (greatestTextCount * strings.greatestTextByteCount + EventID.greatestShortCount)
        if count <= rules.evidenceLimit, bytes + greatestByteCount + idTexts.byteCount <= rules.evidenceByteLimit {
            return false
        }
        let bytesByContent = textByteCounts()
        for event in evidence { bytes += textByteCount(event, bytesByContent) }
        guard count > rules.evidenceLimit || bytes > rules.evidenceByteLimit else { return false }
        var counts = removed.days
        for day in try catalog?.days() ?? [] {
            counts.add(day: Day(number: day.day), count: day.count, bytes: day.bytes)
        }
        counts.add(evidence, of: self)
        return counts.isAbove(
            count: rules.evidenceLimit,
            bytes: rules.evidenceByteLimit,
            spanDays: rules.spanDays
        )
    }

    /// The bytes of the texts that an event refers to: the id where it is no UUID, the source, the session, and the values of
    /// the fields that funnels watch. Every event counts its texts, although the coding keeps each text once.
    ///
    /// - Parameter bytesByContent: the result of ``textByteCounts()``.
    func textByteCount(_ event: Evidence, _ bytesByContent: [Int]) -> Int {
        var count = strings.length(event.source) + bytesByContent[event.content.offset]
        if let session = event.session { count += strings.length(session) }
        if !event.id.isUUID { count += idTexts.withText(of: event.id) { $0.count } }
        return count
    }

    /// By content, the bytes of its texts.
    func textByteCounts() -> [Int] {
        (0..<contents.count).map { content in
            var count = 0
            contents.forEachText(EventContents.Index(content)) { count += strings.length($0) }
            return count
        }
    }

    /// Removes the install from all funnels: of its state only the mark and the sequences are kept.
    mutating func cap() {
        let sequences = sequences
        removeAll()
        self.sequences = sequences
        isCapped = true
    }
}

extension [DayCount] {
    /// Counts events of a state.
    mutating func add(_ events: some Sequence<Evidence>, of state: InstallState) {
        let bytesByContent = state.textByteCounts()
        for event in events {
            add(
                day: Day(containing: Timestamp(milliseconds: event.time)),
                bytes: state.textByteCount(event, bytesByContent)
            )
        }
    }
}
