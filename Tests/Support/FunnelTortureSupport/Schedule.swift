import FlowEventTestSupport

/// What happens when in a torture run: a value that the seed alone decides.
///
/// Apps run in slots, several at once. A slot has phones, of which one is in use at a time: so a phone is switched on
/// again with what it has not delivered long ago.
package struct Schedule: Sendable {
    /// A fault and the moment it begins, since the start of the run.
    package struct Entry: Sendable, Hashable {
        package var at: Duration
        package var fault: Fault
    }

    /// How many apps run at once.
    package let slots: Int
    /// How many phones there are for each slot.
    package let phonesPerSlot: Int
    /// The first app of each slot.
    package private(set) var launches: [Launch] = []
    /// The faults in the order of their beginnings. The last ends before the run does.
    package private(set) var entries: [Entry] = []

    /// How many phones there are.
    package var phones: Int { slots * phonesPerSlot }

    /// How many faults of a kind there are.
    package func count(_ kind: Fault.Kind) -> Int {
        entries.count { $0.fault.kind == kind }
    }

    /// Makes the schedule of a seed.
    ///
    /// - Parameter duration: how long apps track; at least 20 seconds for every kind of fault to have its place.
    package init(seed: UInt64, duration: Duration, slots: Int = 4, phonesPerSlot: Int = 4) {
        self.slots = slots
        self.phonesPerSlot = phonesPerSlot
        var lanes = SeededGenerator(seed: seed)
        launches = (0..<slots).map { Self.launch(slot: $0, phonesPerSlot, &lanes) }
        for slot in 0..<slots {
            add(every: 4.0, lasting: 0.05...1.5, until: duration, &lanes) { length, random in
                .killApp(slot: slot, for: length, next: Self.launch(slot: slot, phonesPerSlot, &random))
            }
            add(every: 7.0, lasting: 1...6, until: duration, &lanes) { length, random in
                .runExtension(slot: slot, for: length, Self.launch(slot: slot, phonesPerSlot, &random))
            }
            add(every: 6.0, lasting: 0.2...5, until: duration, &lanes) { length, random in
                .cutNetwork(slot: slot, for: length, random.pick(NetworkTrouble.allCases))
            }
            add(every: 8.0, lasting: 0.5...4, until: duration, &lanes) { length, _ in
                .fillDisk(slot: slot, for: length)
            }
            add(every: 6.0, lasting: 0...0, until: duration, &lanes) { _, random in
                .moveClock(slot: slot, milliseconds: Self.clockOffset(&random))
            }
        }
        add(every: 4.0, lasting: 0.2...2, until: duration, &lanes) { length, _ in .killCollector(for: length) }
        add(every: 5.0, lasting: 0.3...4, until: duration, &lanes) { length, _ in .stopBroker(for: length) }
        entries.sort { $0.at < $1.at }
    }

    /// Adds faults of one lane, one after the other, with a random time between them.
    private mutating func add(
        every gap: Double,
        lasting lengths: ClosedRange<Double>,
        until duration: Duration,
        _ lanes: inout SeededGenerator,
        _ fault: (Duration, inout SeededGenerator) -> Fault
    ) {
        // A generator of its own, so that a longer run begins as a shorter one of the same seed does.
        var random = SeededGenerator(seed: lanes.next())
        var at = Double.random(in: 0.1...gap, using: &random)
        while true {
            let length = Double.random(in: lengths, using: &random)
            let entry = Entry(
                at: .milliseconds(Int64(at * 1000)),
                fault: fault(.milliseconds(Int64(length * 1000)), &random)
            )
            guard entry.at + entry.fault.length < duration else { return }
            entries.append(entry)
            // Some follow at once: an app that is killed while it opens its queue is one of the cases.
            let pause = random.chance(25) ? 0.02...0.3 : 0.3...gap * 1.8
            at += length + Double.random(in: pause, using: &random)
        }
    }

    private static func launch(slot: Int, _ phonesPerSlot: Int, _ random: inout SeededGenerator) -> Launch {
        Launch(
            phone: slot * phonesPerSlot + Int(random.next() % UInt64(phonesPerSlot)),
            clockOffset: random.chance(50) ? 0 : clockOffset(&random),
            followsWallClock: random.chance(25),
            seed: random.next()
        )
    }

    /// Seconds, hours, days and, rarely, more than an event may be old, forward or back.
    private static func clockOffset(_ random: inout SeededGenerator) -> Int64 {
        let second: Int64 = 1000
        let spans = [second, 20 * second, 3600 * second, 86_400 * second, 6 * 86_400 * second, 45 * 86_400 * second]
        // The longest drops all that is queued, as expired: often enough at one in sixteen.
        let span = random.next() % 16 == 0 ? spans[5] : random.pick(spans.dropLast())
        return Int64.random(in: -span...span, using: &random)
    }
}
