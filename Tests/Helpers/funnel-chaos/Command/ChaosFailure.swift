/// What kept the torment from being carried through, so that nothing can be said about the numbers.
struct ChaosFailure: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) {
        self.description = description
    }
}
