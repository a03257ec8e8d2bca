/// What stands in the key of an install's row.
///
/// PostgreSQL's index takes keys of up to about 2,700 bytes, an install's id may have a million. A long one is kept by
/// its hash, after a byte that no UTF-8 has, so that it is never taken for a short one.
enum InstallKey {
    /// The SQL expression for the key of the `bytea` expression `id`.
    static func sql(_ id: String) -> String {
        #"CASE WHEN length(\#(id)) <= 256 THEN \#(id) ELSE '\xff'::bytea || sha256(\#(id)) END"#
    }
}
