/// A completion that runs at most once, however often it is called.
@MainActor
final class Completion {
    private var body: (() -> Void)?

    init(_ body: @escaping () -> Void) {
        self.body = body
    }

    /// Whether the completion has run.
    var isDone: Bool { body == nil }

    func callAsFunction() {
        let body = body
        self.body = nil
        body?()
    }
}
