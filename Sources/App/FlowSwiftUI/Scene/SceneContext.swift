import FlowAnalytics

/// What the modifiers of a scene's views need of it.
struct SceneContext: Sendable {
    let scene: SceneScreens
    let paywalls: PaywallAttribution<PaywallSourceName>
}

extension EnvironmentValues {
    /// The scene around a view; `nil` where no `tracked(by:)` is.
    var trackedScene: SceneContext? {
        get { self[SceneKey.self] }
        set { self[SceneKey.self] = newValue }
    }

    /// Where a view is in its scene.
    var screenPosition: ScreenPosition {
        get { self[PositionKey.self] }
        set { self[PositionKey.self] = newValue }
    }

    /// The innermost tracked tab view around a view.
    var trackedTabs: TabsBox? {
        get { self[TabsKey.self] }
        set { self[TabsKey.self] = newValue }
    }
}

private enum SceneKey: EnvironmentKey {
    static let defaultValue: SceneContext? = nil
}

private enum PositionKey: EnvironmentKey {
    static let defaultValue = ScreenPosition()
}

private enum TabsKey: EnvironmentKey {
    static let defaultValue: TabsBox? = nil
}
