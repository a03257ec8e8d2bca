/// Texts by their offsets, one after another in one array: so many short texts take little memory.
struct TextList: Sendable {
    private var bytes: [UInt8] = []
    // The end of each text in `bytes`, where the next one begins.
    private var ends: [Int] = []

    var count: Int { ends.count }

    /// The number of bytes of all texts together.
    var textByteCount: Int { bytes.count }

    /// The memory that the texts take, in bytes, approximately.
    var byteCount: Int { bytes.count + ends.count * MemoryLayout<Int>.stride }

    /// A text.
    subscript(offset: Int) -> ArraySlice<UInt8> { bytes[range(offset)] }

    /// The number of bytes of a text.
    func length(_ offset: Int) -> Int { range(offset).count }

    /// Calls `body` with a text. The bytes are valid during the call.
    @inline(__always)
    func withText<R>(_ offset: Int, _ body: (UnsafeRawBufferPointer) throws -> R) rethrows -> R {
        try bytes.withUnsafeBytes { try body(UnsafeRawBufferPointer(rebasing: $0[range(offset)])) }
    }

    /// The texts in place, without a copy.
    struct InPlace {
        fileprivate let bytes: UnsafeRawBufferPointer
        fileprivate let ends: UnsafeBufferPointer<Int>

        @inline(__always)
        subscript(offset: Int) -> UnsafeRawBufferPointer {
            UnsafeRawBufferPointer(rebasing: bytes[(offset == 0 ? 0 : ends[offset - 1])..<ends[offset]])
        }
    }

    /// Calls `body` with the texts in place, which are valid during the call: for values that refer to several texts.
    @inline(__always)
    func withTexts<R>(_ body: (InPlace) -> R) -> R {
        bytes.withUnsafeBytes { bytes in
            ends.withUnsafeBufferPointer { ends in body(InPlace(bytes: bytes, ends: ends)) }
        }
    }

    mutating func append(_ text: UnsafeRawBufferPointer) {
        bytes.append(contentsOf: text)
        ends.append(bytes.count)
    }

    mutating func removeAll() {
        if ends.isEmpty { return }
        bytes.removeAll(keepingCapacity: true)
        ends.removeAll(keepingCapacity: true)
    }

    @inline(__always)
    private func range(_ offset: Int) -> Range<Int> { (offset == 0 ? 0 : ends[offset - 1])..<ends[offset] }
}
