import FlowEvents
import Funnels
import Testing

@testable import LiveEvents

/// Events of one install, numbered from 0, a second apart.
struct Phone {
    var install = "install-1"
    /// The time of the next event, in milliseconds.
    var time: Int64 = 1_795_170_930_000
    var sequence: Int64 = 0
    private var count = 0

    init() {}

    /// The next event, as `change` makes it.
    mutating func event(_ type: String = "screen_view", _ change: (inout Event) -> Void = { _ in }) throws -> [UInt8] {
        count += 1
        var event = Event(
            id: "\(install)-\(count)",
            source: "app://com.example.shop",
            type: type,
            time: Timestamp(milliseconds: time),
            installID: install
        )
        event.sequence = sequence
        change(&event)
        sequence += 1
        time += 1_000
        return try event.encoded()
    }
}

extension EventInspector {
    /// An inspector of funnels from home over the paywall to a purchase.
    static func forTests(screens: [String] = []) throws -> EventInspector {
        let funnels = [
            try Funnel(
                name: "home-to-purchase",
                window: .seconds(3600),
                steps: [
                    Step(name: "home", event: "screen_view", where: ["screen": "home"]),
                    Step(name: "paywall", event: "screen_view", where: ["screen": "paywall"]),
                    Step(name: "bought", event: "purchase"),
                ]
            )
        ]
        return EventInspector(funnels: funnels, screens: KnownScreens(funnels: funnels, list: screens))
    }

    /// Inspects an event that comes as soon as it happens, or `delay` milliseconds later.
    func inspect(_ json: [UInt8], delay: Int64 = 0) throws -> LiveEvent {
        let time = try Event(json: json).time.milliseconds
        let arrival = Timestamp(milliseconds: time + delay)
        return try #require(json.withUnsafeBytes { inspect($0, arrival: arrival) })
    }

    /// The kinds of what is wrong with an event.
    func kinds(_ json: [UInt8], delay: Int64 = 0) throws -> [Finding.Kind] {
        try inspect(json, delay: delay).findings.map(\.kind)
    }
}
