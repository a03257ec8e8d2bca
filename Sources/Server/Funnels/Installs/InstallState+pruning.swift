import FlowEvents

extension InstallState {
    /// Removes the evidence that is past: no event that can still come changes a result that it is part of.
    ///
    /// An event of `horizon` or later can be part of attempts that began at most a window before it, and results are
    /// worked out by whole days. So evidence of earlier days than that, by the longest window of the funnels that it
    /// matches, has had its effect. The results stay: an actor counts once over any range of days, however long ago its
    /// attempts were.
    ///
    /// - Parameters:
    ///   - windows: the funnels' windows, in milliseconds.
    ///   - horizon: events before it no longer count.
    ///   - spanDays: ``FunnelBounds/evidenceDays(of:)``.
    mutating func prune(_ windows: [Int64], horizon: Timestamp, spanDays: Int) {
        let frontiers = frontiers(windows, horizon: horizon)
        guard pastCount(frontiers) > 0 else { return }
        var kept: [Evidence] = []
        for event in evidence {
            if event.time >= frontiers[Int(event.signature)] {
                kept.append(event)
            } else {
                past.add(day: Day(containing: Timestamp(milliseconds: event.time)))
            }
        }
        evidence = kept
        past.horizon = max(past.horizon ?? .min, horizon.milliseconds)
        let lastDay = Int(Day(containing: horizon).number)
        past.days.removeAll { Int($0.day) + spanDays <= lastDay }
        renumber()
    }

    /// Whether at least half of the evidence is past, so that a row is worth being written again for it: then each
    /// event is written at most once more for the removal of others.
    func isWorthPruning(_ windows: [Int64], horizon: Timestamp) -> Bool {
        let count = pastCount(frontiers(windows, horizon: horizon))
        return count > 0 && count * 2 >= evidence.count
    }

    // By signature: the start of the first day that an attempt can belong to which can still change.
    private func frontiers(_ windows: [Int64], horizon: Timestamp) -> [Int64] {
        (0..<signatures.count).map { signature in
            let window =
                windows.indices.lazy
                .filter { signatures.mask(signature, funnel: $0) != 0 }.map { windows[$0] }.max() ?? 0
            let first = Timestamp(milliseconds: horizon.milliseconds - window)
            return Int64(Day(containing: first).number) * 86_400_000
        }
    }

    private func pastCount(_ frontiers: [Int64]) -> Int {
        guard let last = frontiers.max() else { return 0 }
        var count = 0
        for event in evidence {
            guard event.time < last else { break }
            if event.time < frontiers[Int(event.signature)] { count += 1 }
        }
        return count
    }

    /// Lets go of the strings and signatures that nothing has any more.
    private mutating func renumber() {
        var used = [Bool](repeating: false, count: strings.strings.count)
        var usedSignatures = [Bool](repeating: false, count: signatures.count)
        for event in evidence {
            used[Int(event.source)] = true
            if event.session > 0 { used[Int(event.session) - 1] = true }
            usedSignatures[Int(event.signature)] = true
        }
        for best in results {
            if best.owner.session > 0 { used[best.owner.session - 1] = true }
            if best.owner.value > 0 { used[best.owner.value - 1] = true }
        }
        for signature in usedSignatures.indices where usedSignatures[signature] {
            for funnel in masks.indices {
                let value = signatures.value(signature, funnel: funnel)
                if value > 0 { used[value - 1] = true }
            }
        }
        // Places plus 1, as sessions and values have them. The order of what is left stays, and with it the results'.
        var places = [Int](repeating: 0, count: used.count + 1)
        var left = StringTable()
        for (place, string) in strings.strings.enumerated() where used[place] {
            places[place + 1] = left.append(string) + 1
        }
        strings = left
        renumberSignatures(usedSignatures, places)
        for index in evidence.indices {
            evidence[index].source = Int32(places[Int(evidence[index].source) + 1] - 1)
            evidence[index].session = Int32(places[Int(evidence[index].session)])
        }
        for index in results.indices {
            results[index].owner.session = places[results[index].owner.session]
            results[index].owner.value = places[results[index].owner.value]
        }
    }

    private mutating func renumberSignatures(_ used: [Bool], _ places: [Int]) {
        var numbers = [Int32](repeating: 0, count: used.count)
        var left = SignatureTable(funnelCount: signatures.funnelCount)
        for signature in used.indices where used[signature] {
            for funnel in masks.indices {
                masks[funnel] = signatures.mask(signature, funnel: funnel)
                values[funnel] = Int32(places[signatures.value(signature, funnel: funnel)])
            }
            numbers[signature] = Int32(left.append(masks: masks, values: values))
        }
        signatures = left
        for index in evidence.indices { evidence[index].signature = numbers[Int(evidence[index].signature)] }
    }
}
