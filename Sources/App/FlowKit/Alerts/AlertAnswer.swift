/// The answer to an alert, which is given once.
///
/// The alert's buttons hold it. When they are gone with the alert and none was chosen, the answer is that none was: there
/// is nothing else to hear that from, since UIKit tells of no dismissal that the app asks for.
@MainActor
final class AlertAnswer {
    private var body: (@MainActor (Int?) -> Void)?

    init(_ body: @escaping @MainActor (Int?) -> Void) {
        self.body = body
    }

    func callAsFunction(_ index: Int?) {
        let body = body
        self.body = nil
        body?(index)
    }

    deinit {
        guard let body else { return }
        // The last reference may go on any thread, and in the middle of anything.
        Task { @MainActor in body(nil) }
    }
}
