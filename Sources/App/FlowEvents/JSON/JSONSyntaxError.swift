/// Where and how a text breaks the grammar of JSON.
struct JSONSyntaxError: Error {
    /// The offset of the first byte that cannot stand there; the length of the text where it ends too early.
    let offset: Int
    /// What could have stood there.
    let expected: StaticString
}
