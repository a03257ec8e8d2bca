extension Flow {
    /// A flow for tests of code that must not use it: every call stops the test process with a message that names the call.
    ///
    /// ```swift
    /// let screen = HomeViewController(flow: .unimplemented)
    /// ```
    ///
    /// To fail only the current test, pass the reporter of the test framework to ``unimplemented(report:)``. This module
    /// depends on no test framework.
    public static var unimplemented: Flow {
        unimplemented { message in
            // Without a test framework, this is the only failure that no configuration of the test run can turn off.
            preconditionFailure(message)
        }
    }

    /// A flow for tests of code that must not use it: every call is reported.
    ///
    /// ```swift
    /// let flow = Flow.unimplemented { Issue.record("\($0)") }
    /// ```
    ///
    /// It calls completions all the same. Its current view controller is `nil`.
    ///
    /// - Parameter report: fails the test. Its argument is a sentence that names the called closure.
    public static func unimplemented(report: @escaping @MainActor (String) -> Void) -> Flow {
        let reportCall: @MainActor (String) -> Void = { closure in
            report("Flow.unimplemented was called: \(closure). Give the code under test a flow that does this.")
        }
        return Flow(
            presentViewController: { controller, _, completion in
                reportCall("presentViewController with \(type(of: controller))")
                completion?()
            },
            replaceViewController: { controller, _ in reportCall("replaceViewController with \(type(of: controller))")
            },
            dismissViewController: { _, completion in
                reportCall("dismissViewController")
                completion?()
            },
            currentViewController: {
                reportCall("currentViewController")
                return nil
            }
        )
    }
}
