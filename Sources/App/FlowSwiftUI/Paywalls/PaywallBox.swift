import EventTracking
import FlowAnalytics

/// One presentation of a paywall, for SwiftUI to present.
struct PaywallItem: Identifiable {
    let id: String
    let source: String
    /// `nil` where no scene tracks it.
    let presentation: Presentation<PaywallSourceName>?
}

/// Makes the presentations of one `paywall(_:)`, and tells their scene of them.
@MainActor
final class PaywallBox {
    private var item: PaywallItem?
    private var scene: SceneScreens?
    /// The presentations that SwiftUI has not dismissed yet, the oldest first.
    private var open: [String] = []
    private var untracked = 0

    /// The source has changed, or is known for the first time.
    ///
    /// - Returns: what to present.
    func item(for source: String?, in context: SceneContext?, canSwipe: Bool) -> PaywallItem? {
        guard source != item?.source else { return item }
        close()
        item = source.map { begin($0, in: context, canSwipe: canSwipe) }
        return item
    }

    /// SwiftUI presents nothing any more. If the source is still there, the user has dismissed the paywall, or a button on
    /// it has.
    ///
    /// - Returns: whether the source has to go.
    func isDismissedBySwiftUI() -> Bool {
        guard item != nil else { return false }
        close()
        item = nil
        return true
    }

    /// SwiftUI has dismissed the oldest presentation.
    func dismissed() {
        guard !open.isEmpty else { return }
        let id = open.removeFirst()
        scene?.change { $0.closed(id) }
    }

    private func begin(_ source: String, in context: SceneContext?, canSwipe: Bool) -> PaywallItem {
        guard let context else {
            // Without analytics the paywall is shown all the same.
            untracked += 1
            return PaywallItem(id: "\(untracked)", source: source, presentation: nil)
        }
        let presentation = context.paywalls.presentation(from: PaywallSourceName(rawValue: source))
        let mark = PaywallMark(id: presentation.id, source: source)
        scene = context.scene
        context.scene.open(mark, isModal: true, canSwipe: canSwipe)
        open.append(mark.id)
        return PaywallItem(id: mark.id, source: source, presentation: presentation)
    }

    private func close() {
        guard let id = item?.id else { return }
        scene?.change { $0.closing(id) }
    }

    deinit {
        // The view that presents it has gone, and the paywall with it.
        onMainActor { [scene, open] in
            for id in open { scene?.change { $0.closed(id, isRemoved: true) } }
        }
    }
}
