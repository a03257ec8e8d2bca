import EventTracking
import FlowAnalytics
import FlowKit
import FlowTimingTestSupport
import Foundation
import HeadlessUIKit
import Testing
import UIPlatform

// A flow is a struct with four closures: a host that embeds in a subview, and a side effect that records the journey.

private final class HostViewController: UIViewController {
    let slot = UIView(frame: CGRect(x: 0, y: 50, width: 100, height: 150))

    override func viewDidLoad() {
        super.viewDidLoad()
        view.addSubview(slot)
    }

    var slotFlow: Flow { embeddingFlow { [weak self] in self?.slot } }
}

private struct CardBuilder: Builder {
    func build(using title: String) -> UIViewController {
        let card = UIViewController()
        card.title = title
        return card
    }
}

@MainActor
@Suite(.eachTiming) struct FlowSeedTests {
    @Test func `a host embeds what a builder makes in one of its subviews`() {
        let window = UIWindow(frame: .zero)
        let host = HostViewController()
        window.rootViewController = host
        window.makeKeyAndVisible()
        let flow = host.slotFlow
        CardBuilder().build(using: "first") |> flow.present
        CardBuilder().build(using: "second") |> flow.replace
        #expect(flow.currentViewController()?.title == "second")
        #expect(flow.currentViewController()?.view.superview === host.slot)
        #expect(flow.currentViewController()?.view.frame == CGRect(x: 0, y: 0, width: 100, height: 150))
        flow.dismiss()
        #expect(host.children.isEmpty)
    }

    @Test func `a side effect is another flow with the same closures`() {
        var journey: [String] = []
        let base = Flow.empty
        let recording = Flow(
            presentViewController: { controller, animated, completion in
                journey.append("present \(controller.title ?? "-")")
                base.presentViewController(controller, animated, completion)
            },
            replaceViewController: base.replaceViewController,
            dismissViewController: base.dismissViewController,
            currentViewController: base.currentViewController
        )
        CardBuilder().build(using: "detail") |> recording.present
        #expect(journey == ["present detail"])
    }
}
