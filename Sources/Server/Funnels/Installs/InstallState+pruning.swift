import FlowEvents

extension InstallState {
    /// Removes the evidence that no later event can make count again.
    ///
    /// An event of `horizon` or later can belong to attempts that began at most one window before it, and results are
    /// computed for whole days. Evidence of earlier days, by the longest window of the funnels that it matches, has had
    /// its effect. The results stay: an actor counts once over any range of days, however old its attempts are.
    ///
    /// - Parameters:
    ///   - windows: the funnels' windows, in milliseconds.
    ///   - horizon: the time before which events do not count any more.
    ///   - spanDays: ``FunnelBounds/evidenceDays(of:)``.
    mutating func prune(_ windows: [Int64], horizon: Timestamp, spanDays: Int) {
        let frontiers = frontiers(windows, horizon: horizon)
        guard removableCount(frontiers) > 0 else { return }
        var kept: [Evidence] = []
        for event in evidence {
            if event.time >= frontiers[event.signature.offset] {
                kept.append(event)
            } else {
                removed.add(day: Day(containing: Timestamp(milliseconds: event.time)))
            }
        }
        evidence = kept
        removed.horizon = max(removed.horizon ?? .min, horizon.milliseconds)
        let lastDay = Int(Day(containing: horizon).number)
        removed.days.removeAll { Int($0.day) + spanDays <= lastDay }
        removeUnusedStrings()
    }

    /// Whether at least half of the evidence can be removed.
    ///
    /// Only then is a row written again for it, so that each event is written at most once more for the removal of
    /// others.
    func isWorthPruning(_ windows: [Int64], horizon: Timestamp) -> Bool {
        let count = removableCount(frontiers(windows, horizon: horizon))
        return count > 0 && count * 2 >= evidence.count
    }

    // By signature: the start of the first day with attempts that can still change.
    private func frontiers(_ windows: [Int64], horizon: Timestamp) -> [Int64] {
        (0..<signatures.count).map { signature in
            let window =
                windows.indices.lazy
                .filter { signatures.mask(SignatureTable.Index(signature), funnel: $0) != 0 }.map { windows[$0] }.max()
                ?? 0
            let first = Timestamp(milliseconds: horizon.milliseconds - window)
            return Int64(Day(containing: first).number) * 86_400_000
        }
    }

    private func removableCount(_ frontiers: [Int64]) -> Int {
        guard let last = frontiers.max() else { return 0 }
        var count = 0
        for event in evidence {
            guard event.time < last else { break }
            if event.time < frontiers[event.signature.offset] { count += 1 }
        }
        return count
    }

    /// Removes the strings and signatures that neither evidence nor results use, and updates the indices of the others.
    ///
    /// The order of the strings stays, and with it the order of the results.
    private mutating func removeUnusedStrings() {
        var isUsed = [Bool](repeating: false, count: strings.count)
        var isUsedSignature = [Bool](repeating: false, count: signatures.count)
        for event in evidence {
            isUsed[event.source.offset] = true
            if let session = event.session { isUsed[session.offset] = true }
            isUsedSignature[event.signature.offset] = true
        }
        for best in results {
            if let session = best.owner.session { isUsed[session.offset] = true }
            if let value = best.owner.value { isUsed[value.offset] = true }
        }
        for signature in isUsedSignature.indices where isUsedSignature[signature] {
            for funnel in masks.indices {
                let value = signatures.value(SignatureTable.Index(signature), funnel: funnel)
                if let value { isUsed[value.offset] = true }
            }
        }
        var newIndices = [StringTable.Index](repeating: StringTable.Index(0), count: isUsed.count)
        var kept = StringTable()
        for (offset, string) in strings.strings.enumerated() where isUsed[offset] {
            newIndices[offset] = kept.append(string)
        }
        strings = kept
        keepSignatures(isUsedSignature, newIndices)
        for index in evidence.indices {
            evidence[index].source = newIndices[evidence[index].source.offset]
            evidence[index].session = evidence[index].session.map { newIndices[$0.offset] }
        }
        for index in results.indices {
            results[index].owner.session = results[index].owner.session.map { newIndices[$0.offset] }
            results[index].owner.value = results[index].owner.value.map { newIndices[$0.offset] }
        }
    }

    private mutating func keepSignatures(_ isUsed: [Bool], _ newStrings: [StringTable.Index]) {
        var newIndices = [SignatureTable.Index](repeating: SignatureTable.Index(0), count: isUsed.count)
        var kept = SignatureTable(funnelCount: signatures.funnelCount)
        for offset in isUsed.indices where isUsed[offset] {
            let signature = SignatureTable.Index(offset)
            for funnel in masks.indices {
                masks[funnel] = signatures.mask(signature, funnel: funnel)
                values[funnel].wrappedValue =
                    signatures.value(signature, funnel: funnel).map { newStrings[$0.offset] }
            }
            newIndices[offset] = kept.append(masks: masks, values: values)
        }
        signatures = kept
        for index in evidence.indices { evidence[index].signature = newIndices[evidence[index].signature.offset] }
    }
}
