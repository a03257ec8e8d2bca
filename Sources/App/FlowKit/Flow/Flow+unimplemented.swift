extension Flow {
    /// A flow for tests that must not touch it: whatever is called stops the test process, and the message names it.
    ///
    /// ```swift
    /// let screen = HomeViewController(flow: .unimplemented)
    /// ```
    ///
    /// To fail the one test only, and by name, hand its framework's reporter to ``unimplemented(report:)``. This
    /// module depends on no test framework, so it cannot do that by itself.
    public static var unimplemented: Flow {
        unimplemented { message in
            // A flow that a test did not expect cannot go on, and without a framework to report to this is the only
            // failure that no configuration of the test run can turn off.
            preconditionFailure(message)
        }
    }

    /// A flow for tests that must not touch it: whatever is called is reported.
    ///
    /// ```swift
    /// let flow = Flow.unimplemented { Issue.record("\($0)") }
    /// ```
    ///
    /// Its completions are called all the same, its current view controller is `nil`.
    ///
    /// - Parameter report: fails the test. It is given a sentence that names the closure that was called.
    public static func unimplemented(report: @escaping @MainActor (String) -> Void) -> Flow {
        let touched: @MainActor (String) -> Void = { closure in
            report("Flow.unimplemented was touched: \(closure). Give the code under test a flow that does this.")
        }
        return Flow(
            presentViewController: { controller, _, completion in
                touched("presentViewController with \(type(of: controller))")
                completion?()
            },
            replaceViewController: { controller, _ in touched("replaceViewController with \(type(of: controller))") },
            dismissViewController: { _, completion in
                touched("dismissViewController")
                completion?()
            },
            currentViewController: {
                touched("currentViewController")
                return nil
            }
        )
    }
}
