/// A value that a ``JSONWriter`` can write.
///
/// ```swift
/// let body = [UInt8](json: problem)
/// ```
package protocol JSONWritable {
    /// The estimated size of the JSON if no text needs escapes. An estimate that is too low costs a second attempt.
    var sizeWithoutEscapes: Int { get }
    /// Writes the value. Called again with more memory if the first attempt did not fit.
    func write(to json: inout JSONWriter)
}

extension [UInt8] {
    /// Creates the JSON of `value`.
    package init(json value: some JSONWritable) {
        var room = value.sizeWithoutEscapes
        var isTooSmall = false
        repeat {
            self = Array(unsafeUninitializedCapacity: room) { memory, count in
                var writer = JSONWriter(memory)
                value.write(to: &writer)
                count = writer.count
                isTooSmall = writer.isTooSmall
            }
            room *= JSONWriter.longestEscape
        } while isTooSmall
    }
}
