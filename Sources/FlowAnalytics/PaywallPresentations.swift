import FlowKit
import UIPlatform

/// Which screen is in which presentation, as long as it is.
@MainActor
struct PaywallPresentations {
    struct Record {
        let id: String
        let source: String
        /// The paywall.
        weak var screen: UIViewController?
        /// What was presented: the paywall, or the container around it.
        weak var outermost: UIViewController?
        /// Whether the flow has neither shown nor refused it yet.
        var isPending = true
    }

    private var records: [Record] = []

    mutating func begin(id: String, source: String, screen: UIViewController, outermost: UIViewController) {
        records.removeAll { $0.screen == nil || $0.screen === screen }
        records.append(Record(id: id, source: source, screen: screen, outermost: outermost))
    }

    mutating func accept(_ id: String) {
        guard let index = records.firstIndex(where: { $0.id == id }) else { return }
        records[index].isPending = false
    }

    mutating func remove(_ id: String) {
        records.removeAll { $0.id == id }
    }

    /// Forgets what is shown no more, so that it is not taken for the screen's next presentation.
    mutating func removeEnded() {
        records.removeAll { !$0.isPending && $0.outermost?.isInHierarchy != true }
    }

    func isPending(_ screen: UIViewController) -> Bool {
        records.contains { $0.screen === screen && $0.isPending }
    }

    func presentation(of screen: UIViewController) -> Record? {
        records.first { $0.screen === screen }
    }
}
