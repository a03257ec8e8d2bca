import UIPlatform

/// The identity of a controller. It differs from that of every other controller, also if the first one has been freed and
/// another one has its address. It does not keep the controller alive.
@MainActor
struct ControllerIdentity {
    private let id: ObjectIdentifier
    #if canImport(ObjectiveC)
    private weak var controller: UIViewController?
    #else
    // Never read. As long as something refers to an object unowned, Swift keeps its memory, so that no other object gets
    // its address. A weak reference would make all reference counting of the controller several times slower.
    private unowned let controller: UIViewController
    #endif

    init(_ controller: UIViewController) {
        id = ObjectIdentifier(controller)
        self.controller = controller
    }

    /// Whether it is the identity of the controller.
    func matches(_ other: UIViewController) -> Bool { matches(ObjectIdentifier(other)) }

    /// Whether it is the identity of the living controller at this address.
    func matches(_ other: ObjectIdentifier) -> Bool {
        #if canImport(ObjectiveC)
        other == id && controller != nil
        #else
        other == id
        #endif
    }
}
