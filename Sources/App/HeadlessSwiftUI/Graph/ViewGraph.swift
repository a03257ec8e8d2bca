import HeadlessUIKit

private final class OwnPath {
    var values: [AnyHashable] = []
}

/// What outlives the values of a host's views: the state of each identity, and the views of UIKit.
@MainActor
final class ViewGraph {
    struct Key: Hashable {
        let id: ViewID
        let name: String
    }

    let release: HeadlessRelease
    weak var controller: UIViewController?
    /// Whether a state has changed since the views were evaluated.
    var isDirty = false
    private var states: [Key: AnyObject] = [:]
    private var views: [ViewID: UIView] = [:]
    private var loadedTabs: Set<ViewID> = []
    /// What the last evaluation has used.
    private var used: Set<ViewID> = []

    init(_ release: HeadlessRelease, _ controller: UIViewController?) {
        self.release = release
        self.controller = controller
    }

    /// The state of an identity: what it has, else what the view's value begins with.
    func state<Storage: AnyObject>(_ first: Storage, for key: Key) -> Storage {
        used.insert(key.id)
        if let known = states[key] as? Storage { return known }
        states[key] = first
        return first
    }

    /// The path of a stack that keeps it itself.
    func ownPath(at id: ViewID) -> StackPath {
        let state = state(OwnPath(), for: Key(id: id, name: "path"))
        return StackPath(get: { state.values }) { [weak self] values in
            state.values = values
            MainActor.assumeIsolated { self?.isDirty = true }
        }
    }

    /// Shows a view of UIKit.
    func show<Representable: UIViewRepresentable>(_ view: Representable, at id: ViewID) {
        used.insert(id)
        if let known = views[id] as? Representable.UIViewType {
            view.updateUIView(known, context: UIViewRepresentableContext())
        } else {
            let made = view.makeUIView(context: UIViewRepresentableContext())
            views[id] = made
            view.updateUIView(made, context: UIViewRepresentableContext())
            controller?.view.addSubview(made)
        }
    }

    /// Whether a tab is kept, after it was selected for the first time.
    func isLoaded(_ tab: ViewID, isSelected: Bool) -> Bool {
        if isSelected || release.loadsAllTabs { loadedTabs.insert(tab) }
        return loadedTabs.contains(tab)
    }

    func beginEvaluation() {
        isDirty = false
        used = []
    }

    /// Releases what the last evaluation has not used.
    func releaseUnused() {
        states = states.filter { used.contains($0.key.id) }
        for (id, view) in views where !used.contains(id) {
            view.removeFromSuperview()
            views[id] = nil
        }
    }
}
