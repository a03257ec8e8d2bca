import FlowKit
import FlowTimingTestSupport
import Foundation
import HeadlessUIKit
import Testing
import UIPlatform

// Alerts as a chain of calls with one closure at its end.

@MainActor
@Suite(.eachTiming) struct AlertSeedTests {
    private let window = UIWindow(frame: .zero)
    private let home = UIViewController()
    private var user: HeadlessUser { HeadlessUser(in: window) }

    init() {
        window.rootViewController = home
        window.makeKeyAndVisible()
    }

    @Test func `buttons are titles, and the answer is an index`() {
        var answer: Int?
        AlertBuilder()
            .title("Question")
            .message("Do you like apples?")
            .buttonTitles("Yes, I do!", "More of less", "I hate it!")
            .show(on: home.modalFlow) { index in
                answer = index
            }
        #expect(user.tapButton("More of less"))
        #expect(answer == 1)
    }

    @Test func `a login asks for a name and a password`() {
        var answer: AlertResponse?
        AlertBuilder(title: "Sign in").login(name: "Name", password: "Password").buttonTitles("Sign in")
            .ask(on: home.modalFlow) { answer = $0 }
        user.finishTransitions()
        let fields = (home.presentedViewController as? UIAlertController)?.textFields ?? []
        #expect(fields.map(\.placeholder) == ["Name", "Password"])
        #expect(fields.map(\.isSecureTextEntry) == [false, true])
        user.type("momo")
        user.type("secret", intoField: 1)
        user.tapButton(at: 0)
        #expect(answer?.button == 0)
        #expect(answer?.texts == ["momo", "secret"])
    }

    @Test func `an alert that the app takes away answers without texts`() async {
        var answer: AlertResponse?
        AlertBuilder(title: "Name").textField().button("OK").ask(on: home.modalFlow, animated: false) { answer = $0 }
        await settle(window)
        home.dismiss(animated: false)
        await settle(window)
        #expect(answer?.button == nil)
        #expect(answer?.texts == [])
    }
}
