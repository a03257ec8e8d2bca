/// The precedence of `|>`: from left to right, looser than every other operator except an assignment.
precedencegroup ForwardApplication {
    associativity: left
    higherThan: AssignmentPrecedence
    lowerThan: TernaryPrecedence
}

infix operator |> : ForwardApplication

/// Gives a value to a function: `controller |> flow.present`.
public func |> <Value, Result>(value: Value, function: (Value) throws -> Result) rethrows -> Result {
    try function(value)
}
