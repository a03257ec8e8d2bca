public import ScreenJourneys

/// What the home screen offers to go on with: where the user goes often, and where the user stopped.
public struct Shortcuts: Sendable, Hashable {
    /// The names of the screens visited most, recent visits first; at most three.
    public var screens: [String] = []
    /// The screen on which the last session stopped.
    public var lastStop: String?

    /// No shortcuts.
    public init() {}

    /// Asks what is kept on the device. Where nothing is, or it cannot be read, there are no shortcuts: the home screen
    /// is as good without.
    public init(from journeys: Journeys?) async {
        self.init()
        guard let journeys else { return }
        do {
            let screens = try await journeys.mostVisited(days: 30, limit: 3, excluding: ["home"]).map(\.screen)
            lastStop = try await journeys.lastStop()?.screen
            self.screens = screens
        } catch {}
    }
}
