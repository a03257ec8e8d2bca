/// A first-in-first-out queue on an array. Removed elements leave a gap at the front, which is closed when it is half of
/// the array.
///
/// swift-collections has a faster one, but apps that use this module should not need another package.
package struct FIFO<Element: Sendable>: Sendable {
    private var storage: [Element?] = []
    private var head = 0

    /// Creates an empty queue.
    package init() {}

    package var count: Int { storage.count - head }
    package var isEmpty: Bool { head == storage.count }
    package var first: Element? { isEmpty ? nil : storage[head] }

    package mutating func append(_ element: Element) {
        storage.append(element)
    }

    /// Moves an element from a variable to the end.
    package mutating func append(taking element: inout Element?) {
        storage.append(element.take())
    }

    package mutating func popFirst() -> Element? {
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

    /// Inserts elements at the front, in order.
    package mutating func prepend(_ elements: [Element]) {
        storage.replaceSubrange(..<head, with: elements.map(Optional.some))
        head = 0
    }

    /// Removes and returns at most `limit` elements from the front.
    package mutating func removeFirst(_ limit: Int) -> [Element] {
        var taken: [Element] = []
        taken.reserveCapacity(Swift.min(limit, count))
        while taken.count < limit, let element = popFirst() { taken.append(element) }
        return taken
    }
}
