/// What stands in the key of an install's row.
///
/// PostgreSQL's index takes keys of up to about 2,700 bytes, an install's id may have a million. A long one is kept by
/// its hash, after a byte that no UTF-8 has, so that it is never taken for a short one.
enum InstallKey {
    /// The longest id, in bytes, that is a key itself.
    private static let longest = 256

    /// Whether an id is kept by its hash.
    static func isHashed(_ id: [UInt8]) -> Bool { id.count > longest }

    /// Whether a key is a hash.
    static func isHash(_ key: [UInt8]) -> Bool { key.first == 0xFF }

    /// The SQL expression for the key of the `bytea` expression `id`.
    static func sql(_ id: String) -> String {
        #"CASE WHEN length(\#(id)) <= \#(longest) THEN \#(id) ELSE '\xff'::bytea || sha256(\#(id)) END"#
    }
}
