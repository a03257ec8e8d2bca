import FlowKit
import UIPlatform

/// Which screen is in which presentation, as long as it is.
@MainActor
struct PaywallPresentations {
    // A class, for copying weak references costs more than all the rest.
    final class Record {
        let id: String
        let source: String
        /// The paywall.
        private(set) weak var screen: UIViewController?
        /// What was presented: the paywall, or the container around it.
        private(set) weak var outermost: UIViewController?
        /// Whether the flow has neither shown nor refused it yet.
        var isPending = true

        init(id: String, source: String, screen: UIViewController, outermost: UIViewController) {
            self.id = id
            self.source = source
            self.screen = screen
            self.outermost = outermost
        }
    }

    private var records: [Record] = []

    mutating func begin(_ record: Record) {
        if !records.isEmpty { records.removeAll { $0.screen == nil || $0.screen === record.screen } }
        records.append(record)
    }

    mutating func remove(_ record: Record) {
        records.removeAll { $0 === record }
    }

    /// Forgets what is shown no more, so that it is not taken for the screen's next presentation.
    mutating func removeEnded() {
        guard !records.isEmpty else { return }
        records.removeAll { !$0.isPending && $0.outermost?.isInHierarchy != true }
    }

    /// The presentation that the screen is in.
    func record(of screen: UIViewController) -> Record? {
        records.first { $0.screen === screen }
    }
}
