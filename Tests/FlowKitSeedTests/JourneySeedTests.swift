import EventTracking
import FlowAnalytics
import FlowKit
import Foundation
import HeadlessUIKit
import ScreenJourneys
import Testing
import UIPlatform

// A side effect that saves the user's journey to a local database, and a home screen that continues where the user left
// off: with the app's own session, or with another one that the same function is given.

private final class HistoryViewController: UIViewController, ScreenNamed, ItemScreen {
    let screenName = "history"
    let itemID: String?
    let session: UserSession

    init(entry: String, session: UserSession) {
        itemID = entry
        self.session = session
        super.init(nibName: nil, bundle: nil)
    }

    required init?(coder: NSCoder) { nil }
}

extension Builders.ClinicalRecords {
    @MainActor fileprivate static func makeHistory(
        entry: String,
        with session: UserSession = .current,
        modal: Flow
    ) -> UIViewController {
        HistoryViewController(entry: entry, session: session)
    }
}

/// One launch of an app whose screens are recorded on the device.
@MainActor
private struct Launch {
    let journeys: Journeys
    let window = UIWindow(frame: .zero)
    let stack = UINavigationController()
    let flow: Flow

    init(path: String) {
        journeys = Journeys(path: path)
        let screens = ScreenTracker(track: journeys.remembering { _ in })
        flow = stack.navigationFlow.tracked(by: screens)
        window.rootViewController = stack
        window.makeKeyAndVisible()
        flow.present(UIViewController(), animated: false)
    }

    var history: HistoryViewController? {
        HeadlessUser(in: window).finishTransitions()
        return stack.topViewController as? HistoryViewController
    }
}

@MainActor
@Suite struct JourneySeedTests {
    @Test func `the home screen continues with the item where the user left off`() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(
            path: "journey-seeds-\(UUID().uuidString)"
        )
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let path = folder.appending(path: "journeys.sqlite").path

        let first = Launch(path: path)
        Builders.ClinicalRecords.makeHistory(entry: "blood-7", modal: first.flow) |> first.flow.present
        #expect(first.history?.session == UserSession(name: "me"))
        await first.journeys.close()

        let second = Launch(path: path)
        let id = try #require(try await second.journeys.lastItem(on: "history")?.item)
        Builders.ClinicalRecords.makeHistory(
            entry: id,
            with: UserSession(name: "a child"),
            modal: second.flow
        )
            |> second.flow.present
        #expect(second.history?.itemID == "blood-7")
        #expect(second.history?.session == UserSession(name: "a child"))
        await second.journeys.close()
    }
}
