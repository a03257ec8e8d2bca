#if DEBUG
import FlowKit
import FlowTimingTestSupport
import Foundation
import HeadlessUIKit
import Testing

@testable import FlowAnalytics

@MainActor
@Suite(.eachTiming) struct ScreenAuditTests {
    let app = TestApp()

    @Test func `an app that uses its flows has no findings, whatever the user does`() throws {
        app.flow.present(app.home, animated: false)
        let modal = app.modal(on: app.stack).attributed(to: .home, by: app.paywalls)
        modal.present(PaywallViewController(), animated: false)
        app.user.swipeToDismiss()
        app.flow.present(DetailViewController())
        app.user.swipeBack()
        AlertBuilder(title: "Sure?").show(on: app.flow) { _ in }
        app.user.tapButton(at: 0)
        #expect(app.screens.audit().findings.isEmpty)
        #expect("\(app.screens.audit())" == "no findings")
    }

    @Test func `a screen that was pushed by hand is found, with the one before`() {
        app.flow.present(app.home, animated: false)
        app.stack.pushViewController(DetailViewController(), animated: false)
        app.home.present(SettingsViewController(), animated: false)
        app.flow.dismiss(animated: false)
        #expect(
            app.screens.audit().findings.prefix(2) == [
                .screenOutsideFlows(screen: "detail", previous: "home"),
                .screenOutsideFlows(screen: "settings", previous: "detail"),
            ]
        )
    }

    @Test func `a refused replacement is found and said, and one that is shown is not`() async {
        var said: [String] = []
        app.screens.sayRefusal = { said.append($0) }
        app.flow.present(app.home, animated: false)
        app.flow.replace(with: DetailViewController())
        app.user.finishTransitions()
        #expect(said.isEmpty && app.screens.audit().findings.isEmpty)
        app.flow.replace(with: UINavigationController())
        #expect(
            app.screens.audit().findings == [
                .refused(controller: "UINavigationController", current: "DetailViewController")
            ]
        )
        app.window.rootFlow.tracked(by: app.screens).replace(with: UIAlertController())
        #expect(said.count == 2, "\(said)")
        // A root before its window is visible is in no hierarchy yet.
        let window = UIWindow(frame: .zero)
        window.rootFlow.tracked(by: app.screens).replace(with: ProfileViewController())
        await settle(app.window)
        #expect(said.count == 2, "\(said)")
    }

    #if os(Linux)
    @Test func `an app whose standard error takes nothing goes on after a refusal`() async {
        await #expect(processExitsWith: .success) { @MainActor in
            // Each write to it fails, as on a full disk.
            let full = try #require(FileHandle(forWritingAtPath: "/dev/full"))
            dup2(full.fileDescriptor, STDERR_FILENO)
            AuditTrail().sayRefusal("a refusal")
        }
    }
    #endif

    @Test func `the first root of a window that is not visible yet was not refused`() async {
        var said: [String] = []
        app.screens.sayRefusal = { said.append($0) }
        let window = UIWindow(frame: .zero)
        let flow = window.rootFlow.tracked(by: app.screens)
        var refused: [UIViewController] = []
        flow.reportingRefusals { refused.append($0) }.present(ProfileViewController(), animated: false)
        await settle(window)
        #expect(said.isEmpty && refused.isEmpty, "\(said)")
    }

    @Test func `a refusal after a thousand findings is not said with each call`() {
        var said: [String] = []
        app.screens.sayRefusal = { said.append($0) }
        app.flow.present(app.home, animated: false)
        for number in 0..<1000 {
            app.screens.auditTrail.add(.unnamedHostingController(screen: "\(number)"))
        }
        for _ in 0..<3 { app.flow.replace(with: UINavigationController()) }
        #expect(said.isEmpty, "\(said)")
    }

    @Test func `a screen that was there before any flow is found`() {
        app.stack.viewControllers = [app.home]
        app.flow.present(DetailViewController(), animated: false)
        #expect(app.screens.audit().findings == [.screenOutsideFlows(screen: "home", previous: nil)])
    }

    @Test func `a paywall without a source is found, once`() {
        app.flow.present(app.home, animated: false)
        for _ in 0..<2 {
            app.flow.present(PaywallViewController(), animated: false)
            app.flow.dismiss(animated: false)
        }
        #expect(app.screens.audit().findings == [.paywallWithoutSource(screen: "paywall")])
    }

    @Test func `a presentation that nobody dismisses is found, as long as it is there`() async {
        app.flow.present(app.home, animated: false)
        await settle(app.window)
        let modal = app.modal(on: app.stack)
        modal.present(SettingsViewController(), animated: false)
        await settle(app.window)
        #expect(
            app.screens.audit().findings == [
                .presentationNeverDismissed(controller: "SettingsViewController")
            ]
        )
        #expect("\(app.screens.audit())".contains("SettingsViewController is still presented"))
        modal.dismiss(animated: false)
        await settle(app.window)
        #expect(app.screens.audit().findings.isEmpty)
    }
}
#endif
