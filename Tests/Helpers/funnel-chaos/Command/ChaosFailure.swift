/// An error that ended the run, so that there is no result.
struct ChaosFailure: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) {
        self.description = description
    }
}
