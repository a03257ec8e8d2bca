import Synchronization

/// Something that happens once, which several threads can ask about.
///
/// ```swift
/// let publication = Flag()
/// guard publication.raise() else { return }   // only the first call goes on
/// ```
// An object, because the compiler of Swift 6.2 fails where an asynchronous test captures an atomic variable of its own.
package final class Flag: Sendable {
    private let value = Atomic(false)

    /// Creates a flag that is not raised.
    package init() {}

    /// Whether it is raised.
    package var isRaised: Bool { value.load(ordering: .sequentiallyConsistent) }

    /// Raises it.
    ///
    /// - Returns: whether this call was the first.
    @discardableResult
    package func raise() -> Bool { !value.exchange(true, ordering: .sequentiallyConsistent) }
}
