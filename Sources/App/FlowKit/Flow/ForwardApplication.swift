/// The precedence of `|>`: from left to right, looser than every other operator except an assignment.
precedencegroup ForwardApplication {
    associativity: left
    higherThan: AssignmentPrecedence
    lowerThan: TernaryPrecedence
}

infix operator |> : ForwardApplication

/// Calls a function with a value: `controller |> flow.present` is `flow.present(controller)`.
public func |> <Value, Result>(value: Value, function: (Value) throws -> Result) rethrows -> Result {
    try function(value)
}

/// Calls a function of the main actor with a value, from any code on the main actor.
@MainActor
@_disfavoredOverload
public func |> <Value, Result>(value: Value, function: @MainActor (Value) throws -> Result) rethrows -> Result {
    try function(value)
}
