import EventTracking
import EventTrackingTestKit
import FlowAnalytics
import FlowEvents
import FlowKit
import Foundation
import HeadlessUIKit
import Testing

/// Journeys of people who opt out and in again: nothing of what happened in between is told later.
@MainActor
@Suite struct ConsentJourneyTests {
    private let application = UIApplication()
    private let recorder = EventRecorder()
    private let tracker: Tracker
    private let screens: ScreenTracker
    private let paywalls: PaywallAttribution<PaywallSource>
    private let stack = UINavigationController()
    private let window = UIWindow(frame: .zero)

    init() {
        tracker = Tracker(source: "app://test", identity: .memory(), sink: .recording(recorder), clock: ManualClock())
        screens = ScreenTracker(tracker)
        // Other tests' apps enter the foreground, too.
        screens.application = ObjectIdentifier(application)
        paywalls = PaywallAttribution<PaywallSource>(screens, ids: .counting("p"))
        window.rootViewController = stack
        window.makeKeyAndVisible()
    }

    private var flow: Flow { stack.navigationFlow.tracked(by: screens) }
    private var modal: Flow { stack.modalFlow.tracked(by: screens).attributed(to: .home, by: paywalls) }

    private func lines() async throws -> [String] {
        await tracker.flush()
        return try recorder.events.map { event in
            let mark = event.presentationID.map { " [\(event.paywallSource ?? "-") \($0)]" } ?? ""
            guard event.type == "screen_view" else { return event.type + mark }
            return "\(event.screen ?? "-") < \(event.previousScreen ?? "-"): \(event.transition ?? "-")\(mark)"
        }
    }

    @Test func `a paywall that was opened while tracking was off has no close later`() async throws {
        flow.present(HomeViewController(), animated: false)
        try await tracker.optOut()
        modal.present(PaywallViewController(), animated: false)
        try await tracker.optIn()
        modal.dismiss(animated: false)
        #expect(try await lines() == ["home < -: dismiss"])
    }

    @Test func `a paywall that was opened before has no close after tracking was off`() async throws {
        flow.present(HomeViewController(), animated: false)
        modal.present(PaywallViewController(), animated: false)
        await tracker.flush()
        try await tracker.optOut()
        try await tracker.optIn()
        modal.dismiss(animated: false)
        #expect(
            try await lines() == ["home < -: root", "paywall < home: present [home p-1]", "home < -: dismiss"]
        )
    }

    @Test func `after a request to erase, an open paywall has no close, and a purchase on it no paywall`() async throws
    {
        flow.present(HomeViewController(), animated: false)
        let paywall = PaywallViewController()
        modal.present(paywall, animated: false)
        await tracker.flush()
        let old = await tracker.installID
        let told = try recorder.events.count
        try await tracker.requestErasure()
        paywall.presentation?.track("purchase")
        modal.dismiss(animated: false)
        flow.present(ProfileViewController(), animated: false)
        let found = try await lines().dropFirst(told).filter { $0 != ErasureRequest.eventType }
        #expect(found == ["purchase", "home < -: dismiss", "profile < home: present"])
        #expect(try recorder.events.dropFirst(told).filter { $0.installID == old }.map(\.type) == ["erasure_request"])
    }

    @Test func `a purchase on such a paywall is told without the paywall`() async throws {
        flow.present(HomeViewController(), animated: false)
        try await tracker.optOut()
        let paywall = PaywallViewController()
        modal.present(paywall, animated: false)
        try await tracker.optIn()
        paywall.presentation?.track("purchase")
        #expect(try await lines() == ["purchase"])
    }

    @Test func `a screen that was seen while tracking was off is no previous screen`() async throws {
        try await tracker.optOut()
        flow.present(HomeViewController(), animated: false)
        flow.present(ProfileViewController(), animated: false)
        try await tracker.optIn()
        flow.present(DetailViewController(), animated: false)
        flow.present(SettingsViewController(), animated: false)
        let found = try await lines()
        #expect(found == ["detail < -: present", "settings < detail: present"])
    }

    @Test func `what is opened after opting in is told whole`() async throws {
        flow.present(HomeViewController(), animated: false)
        try await tracker.optOut()
        try await tracker.optIn()
        flow.present(ProfileViewController(), animated: false)
        let paywall = PaywallViewController()
        modal.present(paywall, animated: false)
        paywall.presentation?.track("purchase")
        modal.dismiss(animated: false)
        #expect(
            try await lines() == [
                "profile < -: present", "paywall < profile: present [home p-1]", "purchase [home p-1]",
                "paywall_close [home p-1]", "profile < paywall: dismiss",
            ]
        )
    }
}
