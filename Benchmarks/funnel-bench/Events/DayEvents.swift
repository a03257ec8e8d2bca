import FlowEvents

/// The events of people who use an app all day, one after the other in the order of their times, about 380 bytes each.
///
/// ```swift
/// var events = DayEvents(installs: 5_000)
/// let event = events.next(at: .now)
/// ```
///
/// They are made for Benchmarks/day-funnels.yaml: of nine screens three are home, three a profile, two a paywall and one
/// the settings, each of which matches a step. One of ten paywalls is a purchase. The same calls give the same events.
struct DayEvents {
    /// How the events are spread over the installs and the screens.
    struct Shape {
        /// The number of people who use the app at the same time, and make visits of eight events on average. 0: every
        /// event is of any install, so that the events of an install are spread evenly over the time.
        var visitors = 0
        /// The share of events that match no step of any funnel, as one of so many; 0: none.
        var oneUnmatchedOf = 0
    }

    private struct Person {
        var sequence: Int32 = 0
        var screen: UInt8 = 0
    }

    private static let screens = ["home", "profile", "settings", "paywall", "search"]
    private static let paywall: UInt8 = 3
    private static let search: UInt8 = 4
    /// The screens by their share: nine equally likely choices.
    private static let choices: [UInt8] = [0, 0, 0, 1, 1, 1, 2, paywall, paywall]

    private let shape: Shape
    private var random = SplitMix(state: 1)
    private var people: [Person]
    private var visitors: [Int] = []
    private var count: UInt64 = 0

    init(installs: Int, shape: Shape = Shape()) {
        self.shape = shape
        people = Array(repeating: Person(), count: installs)
        visitors = (0..<shape.visitors).map { _ in pick(installs) }
    }

    /// Returns the next event, of any install.
    mutating func next(at time: Timestamp) -> Event {
        let install = nextInstall()
        let isUnmatched = shape.oneUnmatchedOf > 0 && pick(shape.oneUnmatchedOf) == 0
        let screen = isUnmatched ? Self.search : Self.choices[pick(Self.choices.count)]
        let isPaywall = screen == Self.paywall
        let isPurchase = isPaywall && pick(10) == 0
        let person = people[install]
        count += 1
        // A session ends with its hour.
        let hour = UInt64(time.milliseconds / 3_600_000)
        let event = Event(
            id: randomUUID(2, count),
            source: "app://com.example.shop",
            type: isPurchase ? "purchase" : "screen_view",
            time: time,
            installID: randomUUID(1, UInt64(install)),
            sessionID: randomUUID(3, UInt64(install) << 24 ^ hour),
            sequence: Int64(person.sequence),
            screen: Self.screens[Int(screen)],
            paywallSource: isPaywall ? Self.screens[Int(person.screen)] : nil
        )
        people[install].sequence += 1
        if !isPaywall, !isUnmatched { people[install].screen = screen }
        return event
    }

    private mutating func nextInstall() -> Int {
        guard !visitors.isEmpty else { return pick(people.count) }
        let index = pick(visitors.count)
        let install = visitors[index]
        if pick(8) == 0 { visitors[index] = pick(people.count) }
        return install
    }

    private mutating func pick(_ count: Int) -> Int { Int(random.next() % UInt64(count)) }
}
