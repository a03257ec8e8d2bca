/// A file whose format is newer than this release can read. The file stays unchanged.
package struct NewerVersion: Error, CustomStringConvertible {
    private let found: Int
    private let known: Int

    /// Creates the error from the version in the file and the newest version that this release reads.
    package init(found: Int, known: Int) {
        self.found = found
        self.known = known
    }

    package var description: String {
        "version \(found) of a newer release; this release reads versions up to \(known)"
    }
}
