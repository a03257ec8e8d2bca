import FlowAnalytics
import FlowStoreKit
import UIPlatform

extension PaywallViewController {
    /// Buys a product, and closes the paywall when it is bought.
    func buy(_ product: Product) async throws {
        guard let presentation else { return }
        let result = try await product.purchase(options: await presentation.purchaseOptions)
        await presentation.track(result, of: product)  // purchase, purchase_pending or purchase_canceled
        guard case .success(.verified(let transaction)) = result else { return }
        // Here the app unlocks what was bought.
        await transaction.finish()
        dismiss(animated: true)
    }
}
