import UIPlatform

/// The screens of a window that the app tells by hand. They lie on top of controllers, and stay there while other
/// controllers cover them.
///
/// An object whose variables are private and assigned as a whole, for the same reason as ``ScreenTracker/windows``.
@MainActor
final class ToldScreens {
    private struct Stack {
        weak var host: UIViewController?
        var screens: [String]
    }

    /// The stack that was told last is at the end.
    private var stacks: [Stack] = []
    /// Whether the last stack lies on the current controller.
    private var isOnCurrent = false

    /// The screen in front of the current controller; `nil` if there is none.
    var front: String? { isOnCurrent ? stacks.last?.screens.last : nil }

    /// A screen comes in front of the current controller.
    func enter(_ screen: String, on current: UIViewController) {
        var changed = stacks
        if !isOnCurrent { changed.append(Stack(host: current, screens: [])) }
        changed[changed.count - 1].screens.append(screen)
        stacks = changed
        isOnCurrent = true
    }

    /// A screen goes. Of several with its name, the one that was told last.
    ///
    /// - Returns: whether it was the screen in front.
    func leave(_ screen: String) -> Bool {
        let wasFront = front == screen
        for index in stacks.indices.reversed() {
            guard let position = stacks[index].screens.lastIndex(of: screen) else { continue }
            var changed = stacks
            changed[index].screens.remove(at: position)
            stacks = changed
            return wasFront
        }
        return false
    }

    /// Another controller becomes current. The screens on top of it are in front again.
    func become(_ current: UIViewController) {
        if stacks.isEmpty { return }
        var remaining = stacks.filter { $0.host != nil && !$0.screens.isEmpty }
        let index = remaining.firstIndex { $0.host === current }
        if let index { remaining.append(remaining.remove(at: index)) }
        stacks = remaining
        isOnCurrent = index != nil
    }
}
