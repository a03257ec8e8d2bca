import FlowKit
import FlowTimingTestSupport
import HeadlessUIKit
import Testing

@MainActor
@Suite(.eachTiming) struct EmbeddingContainerTests {
    let container = ContainerViewController()
    let home = UIViewController()
    let overlay = UIViewController()

    @Test func `the current controller is the child shown, in the container's view`() {
        let flow = container.embeddingFlow
        #expect(flow.currentViewController() == nil)
        flow.present(home)
        #expect(flow.currentViewController() === home)
        #expect(home.parent === container)
        #expect(home.view.superview === container.view)
        flow.present(overlay)
        #expect(flow.currentViewController() === overlay)
        #expect(container.shownViewController === overlay)
        flow.dismiss()
        #expect(flow.currentViewController() === home)
        #expect(overlay.view.superview == nil)
    }

    @Test func `replacing exchanges the child shown`() {
        let flow = container.embeddingFlow
        flow.replace(with: home)
        flow.replace(with: overlay)
        #expect(container.children == [overlay])
        #expect(home.parent == nil)
    }

    @Test func `completions come once, also for what is refused and for nothing to dismiss`() {
        let flow = container.embeddingFlow
        var calls = 0
        flow.dismiss { calls += 1 }
        flow.present(home) { calls += 1 }
        flow.present(home) { calls += 1 }
        flow.present(container) { calls += 1 }
        flow.dismiss { calls += 1 }
        #expect(calls == 5)
        #expect(container.children.isEmpty)
    }
}
