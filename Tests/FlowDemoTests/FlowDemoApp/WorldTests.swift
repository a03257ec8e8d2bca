import FlowDemoApp
import FlowEvents
import Foundation
import HeadlessUIKit
import ScreenJourneys
import Testing

/// The app in worlds of the tests' own, its links, and its shortcuts.
@MainActor
@Suite struct WorldTests {
    @Test(arguments: [(7, "Good morning, Momo"), (14, "Good afternoon, Momo"), (23, "Good evening, Momo")])
    func `home greets by the world's clock, zone and session`(hour: Int, greeting: String) async throws {
        let person = PersonInFront { world in
            // Hours after midnight in a zone an hour east of UTC.
            world.date = { Timestamp(milliseconds: Int64(hour - 1) * 3_600_000) }
            world.timeZone = TimeZone(secondsFromGMT: 3600) ?? world.timeZone
            world.session.userName = "Momo"
        }
        await Task.yield()
        try person.launch()
        #expect(try person.screen(HomeViewController.self).greeting == greeting)
    }

    @Test func `a link leads to its screen, from wherever the user is`() async throws {
        let person = PersonInFront()
        try person.launch()
        try person.on(HomeViewController.self) { $0.openPaywall() }
        try person.open(.profile)
        _ = try person.screen(ProfileViewController.self)
        try person.open(.offer)
        #expect(try person.screen(PaywallViewController.self).headline == "Themes, backups and more")
        try person.on(PaywallViewController.self) { $0.close() }
        person.user.goBack()
        _ = try person.screen(HomeViewController.self)
        let lines = try await person.lines()
        #expect(lines.prefix(2) == ["home < -: root", "paywall < home: present item_id=plain [home p-1]"])
        #expect(lines.contains("paywall < settings: present item_id=plain [settings p-2]"))
    }

    @Test func `who signs out begins again at home`() async throws {
        let person = PersonInFront()
        try person.launch()
        try person.on(HomeViewController.self) { $0.openSettings() }
        try person.on(SettingsViewController.self) { $0.signOut() }
        try person.on(HomeViewController.self) { $0.openProfile() }
        #expect(
            try await person.lines() == [
                "home < -: root", "settings < home: present", "home < settings: replace", "profile < home: present",
            ]
        )
    }

    @Test func `home has shortcuts to where the user goes, until they are forgotten`() async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("demo-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let journeys = Journeys(path: folder.appendingPathComponent("journeys.sqlite").path)
        let person = PersonInFront { $0.journeys = journeys }
        try person.launch()
        let home = try person.screen(HomeViewController.self)
        for _ in 0..<2 {
            try person.on(HomeViewController.self) { $0.openProfile() }
            person.user.goBack()
        }
        try person.on(HomeViewController.self) { $0.openSettings() }
        await home.loadShortcuts()
        #expect(home.shortcuts.screens == ["profile", "settings"])

        try person.on(SettingsViewController.self) { $0.forget() }
        #expect(person.user.tapButton("Forget"))
        while await journeys.isEnabled { await Task.yield() }
        await home.loadShortcuts()
        #expect(home.shortcuts == Shortcuts())
        #expect(try await person.lines().contains { $0.hasPrefix("alert_view") })

        person.user.goBack()
        try person.on(HomeViewController.self) { $0.openShortcut("profile") }
        _ = try person.screen(ProfileViewController.self)
    }
}
