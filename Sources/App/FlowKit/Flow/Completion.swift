/// A completion that is called once, however many paths lead to it.
@MainActor
final class Completion {
    private var body: (() -> Void)?

    init(_ body: @escaping () -> Void) {
        self.body = body
    }

    /// Whether it has been called.
    var isDone: Bool { body == nil }

    func callAsFunction() {
        let body = body
        self.body = nil
        body?()
    }
}
