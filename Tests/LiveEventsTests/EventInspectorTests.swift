import FlowEvents
import FlowEventTestSupport
import Funnels
import Testing

@testable import LiveEvents

struct EventInspectorTests {
    private let arrival = Timestamp(milliseconds: 1_795_170_930_000)

    @Test func `an event has its fields and the steps that it meets`() throws {
        let inspector = try EventInspector.forTests()
        var phone = Phone()
        let json = try phone.event {
            $0.screen = "paywall"
            $0.previousScreen = "home"
            $0.transition = "present"
            $0.presentationID = "p1"
            $0.paywallSource = "home"
        }
        let event = try inspector.inspect(json, delay: 120)
        #expect(event.type == "screen_view" && event.installID == "install-1" && event.sequence == 0)
        #expect(event.screen == "paywall" && event.previousScreen == "home" && event.transition == "present")
        #expect(event.presentationID == "p1" && event.paywallSource == "home")
        #expect(event.steps.map(\.step) == ["paywall"] && event.steps.map(\.funnel) == ["home-to-purchase"])
        #expect(event.json == json && event.size == json.count)
        #expect(event.arrival.milliseconds - (event.time?.milliseconds ?? 0) == 120)
        #expect(event.findings == [])
    }

    @Test func `a gap and a repeat in the sequence are found, and a late event closes its gap`() throws {
        let inspector = try EventInspector.forTests()
        var phone = Phone()
        #expect(try inspector.kinds(phone.event("a")) == [])
        let late = try phone.event("a")
        let later = try phone.event("a")
        let gap = try inspector.inspect(phone.event("a")).findings
        #expect(gap.map(\.kind) == [.gap] && gap[0].detail.contains("1 to 2 are missing"))
        #expect(try inspector.kinds(later) == [])
        #expect(try inspector.kinds(late) == [])
        #expect(try inspector.kinds(late) == [.repeated])
        phone.sequence = 1
        let other = try inspector.inspect(phone.event("a")).findings
        #expect(other.map(\.kind) == [.repeated] && other[0].detail.contains("another id"))
    }

    @Test func `installs whose ids look the same have numbers of their own`() throws {
        let inspector = try EventInspector.forTests()
        for install in ["caf\u{E9}", "cafe\u{301}"] {
            var phone = Phone()
            phone.install = install
            #expect(try inspector.kinds(phone.event("a")) == [], "\(install)")
        }
    }

    @Test(arguments: Seeds.upTo(100))
    func `in any order, only numbers that came before are repeats`(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let inspector = try EventInspector.forTests()
        var numbers = (0..<Int64.random(in: 1...30, using: &generator)).filter { _ in generator.next() % 4 > 0 }
        for number in numbers where generator.next() % 5 == 0 { numbers.append(number) }
        numbers.shuffle(using: &generator)
        var seen: Set<Int64> = []
        var phone = Phone()
        for number in numbers {
            phone.sequence = number
            let kinds = try inspector.kinds(phone.event("a"))
            #expect(kinds.contains(.repeated) == seen.contains(number), "\(numbers): \(number)")
            // A gap is told where it opens, behind all that came before.
            let isGap = seen.max().map { number > $0 + 1 } ?? false
            #expect(kinds.contains(.gap) == isGap, "\(numbers): \(number)")
            seen.insert(number)
        }
    }

    @Test func `more gaps than it keeps give no false repeats`() throws {
        let inspector = try EventInspector.forTests()
        var phone = Phone()
        let even = stride(from: Int64(0), to: 100, by: 2)
        for number in even {
            phone.sequence = number
            #expect(try inspector.kinds(phone.event("a")) == (number > 0 ? [.gap] : []))
        }
        for number in even {
            phone.sequence = number + 1
            #expect(try !inspector.kinds(phone.event("a")).contains(.repeated))
        }
    }

    @Test func `another source may use an id again`() throws {
        let inspector = try EventInspector.forTests()
        var phone = Phone()
        #expect(try inspector.kinds(phone.event("a") { $0.id = "1" }) == [])
        #expect(
            try inspector.kinds(
                phone.event("a") {
                    $0.id = "1"
                    $0.source = "app://com.example.other"
                }
            ) == []
        )
        #expect(try inspector.kinds(phone.event("a") { $0.id = "1" }) == [.repeated])
    }

    @Test func `an install that was there before has no gap before its first event`() throws {
        let inspector = try EventInspector.forTests()
        var phone = Phone()
        phone.sequence = 700
        #expect(try inspector.kinds(phone.event("a")) == [])
        var other = Phone()
        other.install = "install-2"
        #expect(try inspector.kinds(other.event("a")) == [])
    }

    @Test func `a clock that is fast, set back or corrected is found, and waiting is not`() throws {
        let inspector = try EventInspector.forTests()
        var phone = Phone()
        #expect(try inspector.kinds(phone.event("a"), delay: -60_000) == [.clock])
        #expect(try inspector.kinds(phone.event("a"), delay: 86_400_000) == [])
        phone.time -= 600_000
        let back = try inspector.inspect(phone.event("a")).findings
        #expect(back.map(\.kind) == [.clock] && back[0].detail.contains("9m59s before that of sequence 1"))
        let time = phone.time
        let slow = try phone.event("a") { $0.deviceTime = Timestamp(milliseconds: time - 90_000) }
        let corrected = try inspector.inspect(slow).findings
        #expect(corrected.map(\.kind) == [.clock] && corrected[0].detail.contains("1m30s slow"))
    }

    @Test(arguments: [
        ("screen_view", "paywall", nil, nil, [Finding.Kind.noSource]),
        ("screen_view", "paywall", "p1", nil, [.noSource]),
        ("screen_view", "paywall", "p1", "home", []),
        ("screen_view", "offer", "p1", nil, [.noSource]),
        ("paywall_close", "paywall", "p1", nil, [.noSource]),
        ("paywall_close", "paywall", "p1", "home", []),
        ("screen_view", "home", nil, nil, []),
        ("purchase", nil, nil, nil, [.noPresentation]),
        ("purchase_canceled", nil, nil, nil, [.noPresentation]),
        ("store_purchase", nil, nil, nil, []),
    ])
    func `a paywall without a source and a purchase without a presentation are found`(
        type: String,
        screen: String?,
        presentation: String?,
        source: String?,
        expected: [Finding.Kind]
    ) throws {
        let inspector = try EventInspector.forTests(screens: ["offer"])
        var phone = Phone()
        phone.sequence = 5
        let json = try phone.event(type) {
            $0.screen = screen
            $0.presentationID = presentation
            $0.paywallSource = source
        }
        #expect(try inspector.kinds(json) == expected)
    }

    @Test func `a purchase of a paywall that was never shown is found where the whole install was seen`() throws {
        let inspector = try EventInspector.forTests()
        var phone = Phone()
        let paywall = try phone.event {
            $0.screen = "paywall"
            $0.presentationID = "p1"
            $0.paywallSource = "home"
        }
        #expect(try inspector.kinds(paywall) == [])
        #expect(try inspector.kinds(phone.event("purchase") { $0.presentationID = "p1" }) == [])
        #expect(try inspector.kinds(phone.event("purchase") { $0.presentationID = "p2" }) == [.noPresentation])
        var known = Phone()
        known.install = "install-2"
        known.sequence = 40
        #expect(try inspector.kinds(known.event("purchase") { $0.presentationID = "p0" }) == [])
    }

    @Test func `a screen that nobody has named is found`() throws {
        let inspector = try EventInspector.forTests(screens: ["settings"])
        var phone = Phone()
        #expect(try inspector.kinds(phone.event { $0.screen = "home" }) == [])
        #expect(try inspector.kinds(phone.event { $0.screen = "settings" }) == [])
        let wrong = try inspector.inspect(phone.event { $0.screen = "hoem" }).findings
        #expect(wrong.map(\.kind) == [.unknownScreen] && wrong[0].detail.contains("'hoem'"))
        #expect(try inspector.kinds(phone.event("tap") { $0.screen = "hoem" }) == [])
    }

    @Test func `an install that asks to be erased begins anew`() throws {
        let inspector = try EventInspector.forTests()
        var phone = Phone()
        for _ in 0..<3 { #expect(try inspector.kinds(phone.event("a")) == []) }
        #expect(try inspector.kinds(phone.event(ErasureRequest.eventType)) == [])
        phone.sequence = 0
        phone.time -= 86_400_000
        #expect(try inspector.kinds(phone.event("a")) == [])
    }

    @Test func `more installs than it remembers give no findings`() throws {
        let inspector = try EventInspector.forTests()
        var phones = (0..<2_500).map { number in
            var phone = Phone()
            phone.install = "install-\(number)"
            return phone
        }
        for _ in 0..<2 {
            for index in phones.indices { #expect(try inspector.kinds(phones[index].event("a")) == []) }
        }
    }

    @Test func `what is no event is left to the dead letters`() throws {
        let inspector = try EventInspector.forTests()
        for text in ["", "{", "[]", #"{"specversion":"1.0"}"#] {
            #expect(Array(text.utf8).withUnsafeBytes { inspector.inspect($0, arrival: arrival) } == nil)
        }
    }

    @Test func `of an event that is not counted the fields are shown that can be read`() {
        let json = Array(
            #"{"id":"e1","type":"screen_view","data":{"install_id":"i1","screen":"home","sequence":4}}"#.utf8
        )
        let event = LiveEvent(uncounted: json, Finding(.rejected, "missing_field"), arrival: arrival)
        #expect(event.id == "e1" && event.installID == "i1" && event.screen == "home" && event.sequence == 4)
        #expect(event.findings == [Finding(.rejected, "missing_field")] && event.json == json)
        let broken = LiveEvent(uncounted: Array("{".utf8), Finding(.rejected, "not_json"), arrival: arrival)
        #expect(broken.id == nil && broken.type == nil && broken.json == Array("{".utf8))
        let long = LiveEvent(
            uncounted: [UInt8](repeating: 0x61, count: 900_000),
            Finding(.rejected, "not_json"),
            arrival: arrival
        )
        #expect(long.json.count == LiveEvent.jsonLimit && long.size == 900_000)
    }
}
