#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

// The C library compares many bytes at once. The standard library's `elementsEqual` compares single bytes, and every event is
// compared with an install and an event type.
extension UnsafeRawBufferPointer {
    /// Whether both hold the same bytes.
    @inline(__always)
    func hasSameBytes(as other: UnsafeRawBufferPointer) -> Bool {
        count == other.count && order(other, count) == 0
    }

    /// Whether these bytes come before others: by the first byte that differs, or as their beginning.
    func precedes(_ other: UnsafeRawBufferPointer) -> Bool {
        let order = order(other, Swift.min(count, other.count))
        return order == 0 ? count < other.count : order < 0
    }

    /// Whether the bytes begin with the bytes of `prefix`.
    func hasPrefix(_ prefix: UnsafeRawBufferPointer) -> Bool {
        count >= prefix.count && order(prefix, prefix.count) == 0
    }

    /// Whether the bytes of `part` follow each other somewhere in the bytes. Each text contains the empty one.
    func contains(_ part: UnsafeRawBufferPointer) -> Bool {
        guard let first = part.first else { return true }
        guard part.count <= count else { return false }
        // Most places have another first byte.
        return (0...(count - part.count)).contains { start in
            self[start] == first && UnsafeRawBufferPointer(rebasing: self[start...]).hasPrefix(part)
        }
    }

    /// The order of the first bytes of both: negative where these come first, 0 where they are the same.
    @inline(__always)
    private func order(_ other: UnsafeRawBufferPointer, _ count: Int) -> Int32 {
        // An empty buffer may have no address.
        guard let own = baseAddress, let other = other.baseAddress else { return 0 }
        return memcmp(own, other, count)
    }
}
