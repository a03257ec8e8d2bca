extension Flow {
    /// A flow that shows nothing, for previews and for screens that lead nowhere.
    ///
    /// Its completions are called at once. Its current view controller is `nil`.
    public static let empty = Flow(
        presentViewController: { _, _, completion in completion?() },
        replaceViewController: { _, _ in },
        dismissViewController: { _, completion in completion?() },
        currentViewController: { nil }
    )
}
