extension Builder {
    /// The same builder for someone who knows less: the closure adds what is missing.
    ///
    /// ```swift
    /// let paywall: some Builder<PaywallSource, UIViewController> = PaywallBuilder().scoped { source in
    ///     PaywallBuilder.Dependencies(store: services.store, source: source)
    /// }
    /// ```
    ///
    /// - Parameter dependencies: called for each product, with what the one who asks for it hands over.
    public func scoped<Scope>(
        _ dependencies: @escaping @MainActor (Scope) -> Dependencies
    ) -> some Builder<Scope, Product> {
        ScopedBuilder(base: self, dependencies: dependencies)
    }
}

private struct ScopedBuilder<Base: Builder, Scope>: Builder {
    let base: Base
    let dependencies: @MainActor (Scope) -> Base.Dependencies

    func build(_ scope: Scope) -> Base.Product {
        base.build(dependencies(scope))
    }
}
