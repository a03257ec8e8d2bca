/// Makes a product, most often a screen, from what it depends on.
///
/// A screen that opens another is given that one's builder, narrowed with ``scoped(_:)`` to what the first has to know:
///
/// ```swift
/// final class HomeViewController: UIViewController {
///     init(paywall: some Builder<PaywallSource, UIViewController>, modal: Flow) { … }
/// }
/// ```
public protocol Builder<Dependencies, Product> {
    /// What has to be handed over for each product.
    associatedtype Dependencies
    /// What is made.
    associatedtype Product

    /// Makes a product.
    @MainActor func build(_ dependencies: Dependencies) -> Product
}

extension Builder where Dependencies == Void {
    /// Makes a product that needs nothing handed over.
    @MainActor
    public func build() -> Product {
        build(())
    }
}
