import FlowKit
import FlowTimingTestSupport
import Foundation
import HeadlessUIKit
import Testing

@MainActor
@Suite(.eachTiming) struct AlertBuilderTests {
    let window = UIWindow(frame: CGRect(x: 0, y: 0, width: 100, height: 200))
    let home = UIViewController()
    let user: HeadlessUser
    let builder = AlertBuilder(title: "Delete?").button("Delete", role: .destructive).button("Keep", role: .cancel)

    init() {
        window.rootViewController = home
        home.view.frame = window.bounds
        user = HeadlessUser(in: window)
        window.makeKeyAndVisible()
    }

    private var alert: UIAlertController? { home.presentedViewController as? UIAlertController }

    @Test func `an alert shows its title, message and buttons in order`() throws {
        builder.title("Delete all?").message("For ever.").style(.actionSheet).show(on: home.modalFlow) { _ in }
        let alert = try #require(alert)
        #expect(alert.title == "Delete all?")
        #expect(alert.message == "For ever.")
        #expect(alert.preferredStyle == .actionSheet)
        #expect(alert.actions.map(\.title) == ["Delete", "Keep"])
        #expect(alert.actions.map(\.style) == [.destructive, .cancel])
    }

    @Test(arguments: [0, 1])
    func `the callback comes once, with the index of the button`(index: Int) async {
        var answers: [Int?] = []
        builder.show(on: home.modalFlow) { answers.append($0) }
        #expect(user.tapButton(at: index))
        await MainActor.turns()
        #expect(answers == [index])
    }

    @Test func `a dismissal by the app is an answer without a button`() async {
        let flow = home.modalFlow
        let answer = await withCheckedContinuation { continuation in
            builder.show(on: flow, animated: false) { continuation.resume(returning: $0) }
            flow.dismiss(animated: false)
        }
        #expect(answer == nil)
    }

    @Test func `an alert that goes away in the middle of its presentation answers once`() async {
        var answers: [Int?] = []
        await withCheckedContinuation { continuation in
            builder.show(on: home.modalFlow) {
                answers.append($0)
                continuation.resume()
            }
            window.rootViewController = UIViewController()
            home.modalFlow.dismiss()
        }
        await MainActor.turns()
        #expect(answers == [nil])
    }

    @Test func `an alert that the flow refuses answers at once, without a button`() async {
        let flow = home.modalFlow
        flow.present(UIViewController(), animated: false)
        var answers: [Int?] = []
        builder.show(on: flow) { answers.append($0) }
        builder.show(on: .empty) { answers.append($0) }
        #expect(answers == [nil, nil])
        await MainActor.turns()
        #expect(answers.count == 2)
    }

    @Test func `an alert without buttons has an OK button, which answers nil`() async {
        var answers: [Int?] = []
        AlertBuilder(message: "Hello").show(on: home.modalFlow) { answers.append($0) }
        #expect(alert?.actions.map(\.title) == [AlertBuilder.closeTitle])
        #expect(user.tapButton(at: 0))
        await MainActor.turns()
        #expect(answers == [nil])
    }

    @Test func `of two cancel buttons the first is one, and both can be chosen`() {
        var answers: [Int?] = []
        let two = AlertBuilder(title: "Leave?").button("Stay", role: .cancel).button("Keep", role: .cancel)
        two.show(on: home.modalFlow) { answers.append($0) }
        #expect(alert?.actions.map(\.style) == [.cancel, .default])
        user.tapButton(at: 1)
        #expect(answers == [1])
    }

    @Test func `on an iPad a sheet points at its anchor, and without one stands in the middle`() throws {
        window.traitOverrides.userInterfaceIdiom = .pad
        let button = UIView(frame: CGRect(x: 0, y: 0, width: 10, height: 20))
        home.view.addSubview(button)
        let sheet = builder.style(.actionSheet)
        sheet.show(on: home.modalFlow, anchor: button) { _ in }
        let anchored = try #require(alert?.popoverPresentationController)
        #expect(anchored.sourceView === button)
        #expect(anchored.sourceRect == button.bounds)
        #expect(anchored.permittedArrowDirections == .any)
        user.tapOutside()

        sheet.show(on: home.modalFlow) { _ in }
        let middle = try #require(alert?.popoverPresentationController)
        #expect(middle.sourceView === home.view)
        #expect(middle.sourceRect == CGRect(x: 50, y: 100, width: 0, height: 0))
        #expect(middle.permittedArrowDirections == [])
        user.tapOutside()

        sheet.build { _ in } |> home.modalFlow.present
        #expect(alert?.popoverPresentationController?.sourceView === home.view)
    }

    @Test func `a tap beside a popover without a cancel button is an answer without a button`() async {
        window.traitOverrides.userInterfaceIdiom = .pad
        let answer = await withCheckedContinuation { continuation in
            AlertBuilder().style(.actionSheet).button("A").show(on: home.modalFlow, animated: false) {
                continuation.resume(returning: $0)
            }
            #expect(user.tapOutside())
        }
        #expect(answer == nil)
    }

    @Test func `an alert is neither pushed nor embedded, but presented over the stack or the container`() {
        let stack = UINavigationController(rootViewController: UIViewController())
        let container = ContainerViewController()
        for (presenter, flow) in [(stack, stack.navigationFlow), (container, container.embeddingFlow)] {
            var answers: [Int?] = []
            window.rootViewController = presenter
            flow.replace(with: builder.build { _ in }, animated: false)
            #expect(presenter.presentedViewController == nil)
            builder.show(on: flow, animated: false) { answers.append($0) }
            #expect(presenter.presentedViewController is UIAlertController)
            HeadlessUser(at: presenter).tapButton("Keep")
            #expect(answers == [1])
        }
        #expect(stack.viewControllers.count == 1)
        #expect(container.children.isEmpty)
    }

    @Test func `the namespace makes alerts from a message, from an error, and with two ways`() {
        var calls: [String] = []
        let flow = home.modalFlow
        Builders.alert(title: "Saved", message: nil) { calls.append("closed") } |> flow.present
        user.tapButton(AlertBuilder.closeTitle)
        Builders.alert(for: Failure(), dismiss: { calls.append("failed") }) |> flow.present
        user.finishTransitions()
        #expect(alert?.message == "No network.")
        user.tapButton(at: 0)
        let retry = AlertAction("Retry") { calls.append("retry") }
        let stop = AlertAction("Stop", role: .cancel) { calls.append("stop") }
        for index in 0...1 {
            Builders.alert(title: "Again?", message: nil, primary: retry, secondary: stop) |> flow.present
            user.tapButton(at: index)
        }
        #expect(calls == ["closed", "failed", "retry", "stop"])
    }

    @Test func `the way out of a failed screen can be the button of the alert`() {
        let stack = UINavigationController(rootViewController: home)
        window.rootViewController = stack
        let secondary = stack.navigationFlow
        secondary.present(UIViewController(), animated: false)
        Builders.alert(for: Failure(), dismiss: secondary.dismiss) |> secondary.present
        user.tapButton(at: 0)
        user.finishTransitions()
        #expect(secondary.currentViewController() === home)
    }
}

private struct Failure: LocalizedError {
    var errorDescription: String? { "No network." }
}

extension MainActor {
    /// Lets everything run that is waiting for the main actor, so that a second call would have come.
    static func turns() async {
        for _ in 0..<20 { await Task.yield() }
    }
}
