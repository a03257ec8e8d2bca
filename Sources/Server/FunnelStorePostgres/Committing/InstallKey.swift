/// The key of an install's row: the install's id, or its hash.
///
/// A key in a PostgreSQL index has at most about 2,700 bytes, but an install's id may have a million. The key of a long
/// id is its hash, after a byte that never occurs in UTF-8, so that it never equals a short id. A key is shorter than
/// the limit, so the key of a key is the same key.
enum InstallKey {
    /// The greatest length, in bytes, of an id that is used as the key.
    private static let longest = 256

    /// Returns whether the key of an id is its hash.
    static func isHashed(_ id: [UInt8]) -> Bool { id.count > longest }

    /// Returns whether a key is a hash.
    static func isHash(_ key: [UInt8]) -> Bool { key.first == 0xFF }

    /// Returns the SQL expression for the key of the `bytea` expression `id`.
    static func sql(_ id: String) -> String {
        #"CASE WHEN length(\#(id)) <= \#(longest) THEN \#(id) ELSE '\xff'::bytea || sha256(\#(id)) END"#
    }
}
