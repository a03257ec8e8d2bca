import UIPlatform

/// Which controller something is about, told from every other one also when it is gone and another has come to its
/// address. Does not keep it alive.
@MainActor
struct ControllerIdentity {
    private let id: ObjectIdentifier
    #if canImport(ObjectiveC)
    private weak var controller: UIViewController?
    #else
    // Never read. As long as something refers to an object unowned, Swift keeps its memory, so that no other comes to its
    // address. A weak reference would also make all counting of references to the controller several times slower.
    private unowned let controller: UIViewController
    #endif

    init(_ controller: UIViewController) {
        id = ObjectIdentifier(controller)
        self.controller = controller
    }

    /// Whether it is this controller's.
    func isOf(_ other: UIViewController) -> Bool { isOf(ObjectIdentifier(other)) }

    /// Whether it is that of a controller that is there now, and has this address.
    func isOf(_ other: ObjectIdentifier) -> Bool {
        #if canImport(ObjectiveC)
        other == id && controller != nil
        #else
        other == id
        #endif
    }
}
