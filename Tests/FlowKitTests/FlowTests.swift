import FlowKit
import FlowTimingTestSupport
import Foundation
import HeadlessUIKit
import Testing

@MainActor
@Suite(.eachTiming) struct FlowTests {
    @Test func `conveniences have the defaults that they had as a protocol`() {
        var calls: [String] = []
        let flow = Flow(
            presentViewController: { _, animated, completion in calls.append("present \(animated) \(completion != nil)")
            },
            replaceViewController: { _, animated in calls.append("replace \(animated)") },
            dismissViewController: { animated, completion in calls.append("dismiss \(animated) \(completion != nil)") },
            currentViewController: { nil }
        )
        flow.present(UIViewController())
        flow.present(UIViewController(), animated: false)
        flow.present(UIViewController()) {}
        flow.replace(with: UIViewController())
        flow.replace(with: UIViewController(), animated: false)
        flow.dismiss()
        flow.dismiss(animated: false)
        flow.dismiss {}
        #expect(
            calls == [
                "present true false", "present false false", "present true true", "replace true", "replace false",
                "dismiss true false", "dismiss false false", "dismiss true true",
            ]
        )
    }

    @Test func `presenting and dismissing can be passed as values`() {
        let home = UIViewController()
        let window = UIWindow(showing: home)
        let flow = home.modalFlow
        func alert(dismiss: @escaping () -> Void) -> AlertStandIn { AlertStandIn(dismiss: dismiss) }
        let shown = alert(dismiss: flow.dismiss)
        shown |> flow.present
        #expect(flow.currentViewController() === shown)
        HeadlessUser(at: home).finishTransitions()
        shown.dismissAction()
        HeadlessUser(at: home).finishTransitions()
        #expect(flow.currentViewController() === home)
        withExtendedLifetime(window) {}
    }

    @Test func `application goes from left to right and binds looser than arithmetic`() {
        let text = 1 + 2 |> { $0 * 2 } |> { "\($0)" }
        #expect(text == "6")
    }

    @Test func `the empty flow shows nothing and completes`() {
        var calls = 0
        Flow.empty.present(UIViewController()) { calls += 1 }
        Flow.empty.replace(with: UIViewController())
        Flow.empty.dismiss { calls += 1 }
        #expect(calls == 2)
        #expect(Flow.empty.currentViewController() == nil)
    }

    @Test func `an unimplemented flow reports each touch by name, and completes`() {
        var reports: [String] = []
        let flow = Flow.unimplemented { reports.append($0) }
        var calls = 0
        flow.present(UIViewController()) { calls += 1 }
        flow.replace(with: UIViewController())
        flow.dismiss { calls += 1 }
        _ = flow.currentViewController()
        #expect(calls == 2)
        let closures = ["present", "replace", "dismiss", "current"].map { $0 + "ViewController" }
        #expect(reports.count == 4)
        for (report, closure) in zip(reports, closures) { #expect(report.contains(closure)) }
    }

    @Test func `an unimplemented flow that cannot report stops the test`() async {
        await #expect(processExitsWith: .failure) { @MainActor in Flow.unimplemented.dismiss() }
    }
}

private final class AlertStandIn: UIViewController {
    let dismissAction: () -> Void

    init(dismiss: @escaping () -> Void) {
        dismissAction = dismiss
        super.init(nibName: nil, bundle: nil)
    }

    required init?(coder: NSCoder) {
        nil
    }
}
