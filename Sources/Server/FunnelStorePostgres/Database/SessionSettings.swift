/// The settings of a consumer's connections.
enum SessionSettings {
    /// Settings that the URL, the role, the database and the server's configuration can override.
    ///
    /// With the idle timeout, the server ends the transaction of a consumer that hangs, because it locks rows for which
    /// other consumers wait.
    private static let defaults = [
        "statement_timeout": "60s", "idle_in_transaction_session_timeout": "15s", "work_mem": "64MB",
    ]

    /// Settings that the statements need. Each statement must find its rows by an index, in the order of its arrays,
    /// because it locks them in this order. The plans must not depend on statistics, and are made once per statement.
    private static let fixed = [
        "enable_seqscan": "off", "enable_hashjoin": "off", "enable_mergejoin": "off", "jit": "off",
        "plan_cache_mode": "force_generic_plan",
    ]

    static func apply(to connection: PostgresConnection) throws {
        try connection.execute(
            """
            SELECT set_config(name, wanted, false)
            FROM unnest($1::text[], $2::text[]) AS t(name, wanted) JOIN pg_settings USING (name)
            WHERE source = 'default'
            """,
            [.texts(Array(defaults.keys)), .texts(Array(defaults.values))]
        )
        try connection.execute(
            "SELECT set_config(name, wanted, false) FROM unnest($1::text[], $2::text[]) AS t(name, wanted)",
            [.texts(Array(fixed.keys)), .texts(Array(fixed.values))]
        )
    }
}
