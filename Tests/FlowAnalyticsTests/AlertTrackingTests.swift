import EventTracking
import FlowEvents
import FlowAnalytics
import FlowKit
import FlowTimingTestSupport
import Foundation
import HeadlessUIKit
import Testing

@MainActor
@Suite(.eachTiming) struct AlertTrackingTests {
    private let question = AlertBuilder(title: "Sure?").button("Yes").button("No", role: .cancel)

    private func show(_ app: TestApp, in flow: Flow) {
        app.flow.present(app.home, animated: false)
        question.show(on: flow) { _ in }
        app.user.finishTransitions()
        app.user.tapButton("No")
        app.flow.present(DetailViewController(), animated: false)
    }

    @Test func `an alert is tracked as what it is, and the screen behind it stays current`() throws {
        let app = TestApp()
        show(app, in: app.flow)
        #expect(app.log.lines == ["home < -: root", "alert_view", "detail < home: present"])
        let event = try #require(app.log.events.first { $0.type == "alert_view" })
        #expect(event.screen == "home")
        #expect(event.transition == nil)
        #expect(event.properties == ["style": "alert", "buttons": 2])
    }

    @Test func `a sheet says so, with the name that the app has for it, and two decorators tell once`() async throws {
        let app = TestApp(naming: ScreenNaming { $0 is UIAlertController ? "delete_list" : nil })
        let twice = app.modal(on: app.stack).tracked(by: app.screens)
        app.flow.present(app.home, animated: false)
        await settle(app.window)
        question.style(.actionSheet).show(on: twice, animated: false) { _ in }
        await settle(app.window)
        #expect(app.log.lines == ["home < -: root", "alert_view"])
        #expect(app.log.events.last?.properties == ["style": "action_sheet", "buttons": 2, "name": "delete_list"])
    }

    @Test func `a refused alert is not told of, and can be shown later`() async {
        let app = TestApp()
        app.flow.present(app.home, animated: false)
        await settle(app.window)
        let modal = app.modal(on: app.stack)
        modal.present(SettingsViewController(), animated: false)
        await settle(app.window)
        let alert = question.build { _ in }
        alert |> modal.present
        await settle(app.window)
        modal.dismiss(animated: false)
        await settle(app.window)
        alert |> modal.present
        await settle(app.window)
        app.user.finishTransitions()
        #expect(
            app.log.lines == [
                "home < -: root", "settings < home: present", "home < settings: dismiss", "alert_view",
            ]
        )
    }

    @Test func `what happens under an alert counts as if it were not there`() async {
        let app = TestApp()
        app.flow.present(app.home, animated: false)
        await settle(app.window)
        question.show(on: app.flow, animated: false) { _ in }
        await settle(app.window)
        app.flow.present(DetailViewController(), animated: false)
        await settle(app.window)
        app.modal(on: app.stack).dismiss(animated: false)
        await settle(app.window)
        app.user.goBack()
        #expect(
            app.log.lines == [
                "home < -: root", "alert_view", "detail < home: present", "home < detail: back",
            ]
        )
    }

    @Test func `with .screenViews, an alert is tracked as a screen`() {
        let app = TestApp(alerts: .screenViews)
        show(app, in: app.modal(on: app.stack))
        #expect(app.log.lines.prefix(2) == ["home < -: root", "ui_alert < home: present"])
        #expect(app.log.lines.last?.hasPrefix("detail < home: present") == true)
        #expect(!app.log.lines.contains("alert_view"))
    }

    @Test func `with .nothing, an alert is not tracked`() {
        let app = TestApp(alerts: .nothing)
        show(app, in: app.flow)
        #expect(app.log.lines == ["home < -: root", "detail < home: present"])
    }
}
