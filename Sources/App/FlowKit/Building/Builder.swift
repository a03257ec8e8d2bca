/// Makes a product, usually a screen, from its dependencies.
///
/// A screen that opens another one gets a builder for it. ``scoped(_:)`` narrows the builder to what the first screen knows:
///
/// ```swift
/// final class HomeViewController: UIViewController {
///     init(paywall: some Builder<PaywallSource, UIViewController>, modal: Flow) { … }
/// }
/// ```
public protocol Builder<Dependencies, Product> {
    /// The dependencies of a product.
    associatedtype Dependencies
    /// The type of the product.
    associatedtype Product

    /// Makes a product.
    @MainActor func build(using dependencies: Dependencies) -> Product
}

extension Builder {
    /// Makes a product: `paywall.build(.home)`.
    @MainActor
    public func build(_ dependencies: Dependencies) -> Product {
        build(using: dependencies)
    }
}

extension Builder where Dependencies == Void {
    /// Makes a product without dependencies.
    @MainActor
    public func build() -> Product {
        build(using: ())
    }
}

extension Builder {
    /// Returns a builder that needs less: the closure supplies the dependencies that the caller does not have.
    ///
    /// ```swift
    /// let paywall: some Builder<PaywallSource, UIViewController> = PaywallBuilder().scoped { source in
    ///     PaywallBuilder.Dependencies(store: services.store, source: source)
    /// }
    /// ```
    ///
    /// - Parameter dependencies: makes the dependencies of a product from the caller's argument; called for each product.
    public func scoped<Scope>(
        _ dependencies: @escaping @MainActor (Scope) -> Dependencies
    ) -> some Builder<Scope, Product> {
        ScopedBuilder(base: self, dependencies: dependencies)
    }
}

private struct ScopedBuilder<Base: Builder, Scope>: Builder {
    let base: Base
    let dependencies: @MainActor (Scope) -> Base.Dependencies

    func build(using scope: Scope) -> Base.Product {
        base.build(using: dependencies(scope))
    }
}
