/// An id of the tables of a store.
///
/// It is worked out and not kept, because a kept one would be copied with the tables: a copy is another store, which must
/// not share a group with the first one.
enum PostgresStoreID {
    /// Returns 12 hexadecimal digits from the server's data directory, the database and the tables.
    ///
    /// A standby server that takes over has the same ones.
    static func read(_ connection: PostgresConnection) throws -> String {
        let result = try connection.execute(
            """
            SELECT left(md5(concat_ws(' ', s.system_identifier, d.oid, c.oid)), 12)
            FROM pg_control_system() s, pg_database d, pg_class c
            WHERE d.datname = current_database() AND c.relname = 'flow_funnels_store' AND pg_table_is_visible(c.oid)
            """
        )
        return result.text(0, 0)
    }
}
