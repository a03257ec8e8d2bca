import FlowEvents

/// The events of all benchmarks: about 440 bytes each, from people who use an app for a week.
///
/// Half of them match a step of the three funnels of the contract's example. The same arguments give the same events.
struct BenchmarkEvents: Sequence {
    let count: Int
    let installCount: Int

    /// One event, small enough to keep and sort a million of them in memory.
    private struct Visit {
        var time: Int64
        var install: UInt32
        var session: UInt32
        var sequence: UInt32
        var screen: UInt8
        var previous: UInt8
        var source: UInt8
    }

    private static let screens = ["home", "profile", "paywall", "settings", "catalog", "detail", "search", "cart"]
    private static let sources = ["home", "profile", "settings"]
    // 2026-03-02T00:00:00Z
    private static let start: Int64 = 1_772_409_600_000
    private static let days: UInt64 = 7

    /// Returns the events in the order of their times.
    func makeIterator() -> AnyIterator<Event> {
        let visits = visits()
        var position = 0
        return AnyIterator {
            guard position < visits.count else { return nil }
            defer { position += 1 }
            return Self.event(visits[position], number: UInt64(position))
        }
    }

    private func visits() -> [Visit] {
        var random = SplitMix(state: 1)
        var visits: [Visit] = []
        visits.reserveCapacity(count)
        for install in 0..<installCount {
            let own = count / installCount + (install < count % installCount ? 1 : 0)
            var sequence = 0
            var session = 0
            while sequence < own {
                let day = Int64(random.next() % Self.days)
                var time = Self.start + day * 86_400_000 + Int64(random.next() % 82_800_000)
                var previous = UInt8(255)
                for _ in 0..<Swift.min(7, own - sequence) {
                    // Half of the events are home, profile, paywall and purchase.
                    let choice = random.next() % 8
                    let screen = choice < 4 ? UInt8(choice) : UInt8(3 + choice % 5)
                    visits.append(
                        Visit(
                            time: time,
                            install: UInt32(install),
                            session: UInt32(session),
                            sequence: UInt32(sequence),
                            screen: choice == 3 ? 255 : screen,
                            previous: previous,
                            source: UInt8(random.next() % UInt64(Self.sources.count))
                        )
                    )
                    previous = screen
                    sequence += 1
                    time += 1000 + Int64(random.next() % 90_000)
                }
                session += 1
            }
        }
        return visits.sorted { ($0.time, $0.install, $0.sequence) < ($1.time, $1.install, $1.sequence) }
    }

    private static func event(_ visit: Visit, number: UInt64) -> Event {
        let install = randomUUID(1, UInt64(visit.install))
        let isPurchase = visit.screen == 255
        let screen = isPurchase ? "paywall" : screens[Int(visit.screen)]
        let isPaywall = screen == "paywall"
        return Event(
            id: randomUUID(2, number),
            source: "app://com.example.shop",
            type: isPurchase ? "purchase" : "screen_view",
            time: Timestamp(milliseconds: visit.time),
            installID: install,
            sessionID: randomUUID(3, UInt64(visit.install) << 20 | UInt64(visit.session)),
            sequence: Int64(visit.sequence),
            screen: screen,
            previousScreen: visit.previous < 255 ? screens[Int(visit.previous)] : nil,
            transition: isPurchase ? nil : "present",
            paywallSource: isPaywall ? sources[Int(visit.source)] : nil,
            properties: ["app_version": "3.1.0", "platform": "ios"]
        )
    }
}

/// SplitMix64, https://prng.di.unimi.it/splitmix64.c: the numbers are the same on every machine.
struct SplitMix {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}

/// Returns a UUID of random digits, like real ids: ascending ids would compress too well. The same arguments give the same
/// id.
func randomUUID(_ kind: UInt64, _ number: UInt64) -> String {
    var random = SplitMix(state: kind << 56 ^ number)
    let (high, low) = (random.next(), random.next())
    return String(unsafeUninitializedCapacity: 36) { text in
        var position = 0
        for digit in 0..<32 {
            if [8, 12, 16, 20].contains(digit) {
                text[position] = UInt8(ascii: "-")
                position += 1
            }
            let value = (digit < 16 ? high : low) >> UInt64(60 - 4 * (digit % 16)) & 15
            text[position] = UInt8(value < 10 ? 48 + value : 87 + value)
            position += 1
        }
        return position
    }
}
