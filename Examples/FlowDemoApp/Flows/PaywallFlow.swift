import FlowKit
import UIPlatform

/// Knows where the paywall leads: back.
@MainActor
struct PaywallFlow {
    /// What the paywall is presented by.
    let presenting: Flow

    func handle(_ route: PaywallViewController.Route) {
        switch route {
        case .close: presenting.dismiss()
        }
    }
}
