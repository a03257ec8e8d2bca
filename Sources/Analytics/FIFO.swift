/// A first-in-first-out queue on an array: what was taken leaves a gap at its front, closed when it is half of the array.
///
/// swift-collections has a better one; an app that takes this module resolves no other package.
struct FIFO<Element: Sendable>: Sendable {
    private var storage: [Element?] = []
    private var head = 0

    var count: Int { storage.count - head }
    var isEmpty: Bool { head == storage.count }
    var first: Element? { isEmpty ? nil : storage[head] }

    mutating func append(_ element: Element) {
        storage.append(element)
    }

    mutating func popFirst() -> Element? {
        guard !isEmpty else { return nil }
        let element = storage[head].take()
        head += 1
        if head * 2 > storage.count && head >= 64 {
            storage.removeSubrange(..<head)
            head = 0
        } else if isEmpty {
            storage.removeAll(keepingCapacity: true)
            head = 0
        }
        return element
    }

    /// Puts elements before all others, keeping their order.
    mutating func prepend(_ elements: [Element]) {
        storage.replaceSubrange(..<head, with: elements.map(Optional.some))
        head = 0
    }

    /// Takes up to so many elements from the front.
    mutating func removeFirst(_ limit: Int) -> [Element] {
        var taken: [Element] = []
        taken.reserveCapacity(Swift.min(limit, count))
        while taken.count < limit, let element = popFirst() { taken.append(element) }
        return taken
    }
}
