import FlowKit
import FlowTimingTestSupport
import Foundation
import HeadlessUIKit
import Testing
import UIPlatform

// Factory functions in a namespace, given a session or reading the app's own, and shown with `|>`.

private struct CoreError: LocalizedError {
    var errorDescription: String? { "No connection" }
}

private struct AlertError: Error {
    var title: String
    var message: String
}

struct UserSession: Sendable, Hashable {
    var name: String
    @TaskLocal static var current = UserSession(name: "me")
}

extension Builders {
    enum Alert {
        @MainActor static func makeAlert(
            for message: String,
            title: String?,
            dismiss: (() -> Void)?
        ) -> UIAlertController {
            Builders.alert(title: title, message: message, dismiss: dismiss)
        }

        @MainActor fileprivate static func makeAlert(for error: CoreError, dismiss: (() -> Void)?) -> UIAlertController
        {
            Builders.alert(for: error, dismiss: dismiss)
        }

        @MainActor fileprivate static func makeAlert(
            for error: AlertError,
            primaryAction: UIAlertAction,
            secondaryAction: UIAlertAction
        ) -> UIAlertController {
            Builders.alert(
                title: error.title,
                message: error.message,
                primaryAction: primaryAction,
                secondaryAction: secondaryAction
            )
        }
    }

    enum ClinicalRecords {
        @MainActor static func makeMedicalHistory(modal: Flow) -> UIViewController {
            makeMedicalHistory(with: .current, modal: modal)
        }

        @MainActor static func makeMedicalHistory(with session: UserSession, modal: Flow) -> UIViewController {
            let controller = UIViewController()
            controller.title = session.name
            return controller
        }
    }
}

@MainActor
private final class AppointmentListFlowController {
    enum Route {
        case showAlert(CoreError)
        case history
        case historyOf(UserSession)
    }

    let primary: Flow
    let secondary: Flow

    init(primary: Flow, secondary: Flow) {
        self.primary = primary
        self.secondary = secondary
    }

    func handle(_ route: Route) {
        switch route {
        case let .showAlert(error):
            Builders.Alert.makeAlert(for: error, dismiss: secondary.dismiss)
                |> secondary.present
        case .history:
            Builders.ClinicalRecords.makeMedicalHistory(modal: secondary)
                |> primary.present
        case let .historyOf(session):
            Builders.ClinicalRecords.makeMedicalHistory(with: session, modal: secondary)
                |> primary.replace
        }
    }
}

@MainActor
@Suite(.eachTiming) struct FactorySeedTests {
    private let window = UIWindow(frame: .zero)
    private let stack = UINavigationController(rootViewController: UIViewController())
    private let controller: AppointmentListFlowController
    private var user: HeadlessUser { HeadlessUser(in: window) }

    init() {
        window.rootViewController = stack
        window.makeKeyAndVisible()
        controller = AppointmentListFlowController(primary: stack.navigationFlow, secondary: stack.modalFlow)
    }

    @Test func `a route becomes a screen that is built for a session, or for the app's own`() {
        controller.handle(.history)
        user.finishTransitions()
        #expect(stack.topViewController?.title == "me")
        controller.handle(.historyOf(UserSession(name: "a child")))
        user.finishTransitions()
        #expect(stack.topViewController?.title == "a child")
        #expect(stack.viewControllers.count == 2)
    }

    @Test func `an alert for an error dismisses through the flow that it was given`() {
        controller.handle(.showAlert(CoreError()))
        user.finishTransitions()
        #expect((user.screen as? UIAlertController)?.message == "No connection")
        #expect(user.tapButton(at: 0))
        #expect(stack.presentedViewController == nil)
    }

    @Test func `a message needs no dismissal, and UIKit's own actions work`() {
        var chosen: [String] = []
        Builders.Alert.makeAlert(for: "Saved", title: nil, dismiss: nil) |> controller.secondary.present
        user.tapButton(at: 0)
        let error = AlertError(title: "Delete?", message: "For ever.")
        Builders.Alert.makeAlert(
            for: error,
            primaryAction: UIAlertAction(title: "Delete", style: .destructive) { _ in chosen.append("delete") },
            secondaryAction: UIAlertAction(title: "Keep", style: .cancel) { _ in chosen.append("keep") }
        )
            |> controller.secondary.present
        user.tapButton("Delete")
        #expect(chosen == ["delete"])
    }

    @Test func `a controller goes to a flow from any code on the main actor`() async {
        let flow = stack.navigationFlow
        await Task { @MainActor in UIViewController() |> flow.present }.value
        let later: @MainActor @Sendable () -> Void = { UIViewController() |> flow.replace }
        user.finishTransitions()
        later()
        user.finishTransitions()
        #expect(stack.viewControllers.count == 2)
    }
}
