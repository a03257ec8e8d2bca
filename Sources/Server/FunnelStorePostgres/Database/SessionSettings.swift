/// What a consumer asks of the server for its connections.
enum SessionSettings {
    /// Settings that hold unless the URL, the role, the database or the server's configuration says otherwise.
    ///
    /// A consumer that is stopped in the middle of a transaction holds rows that others wait for: the server ends it.
    private static let defaults = [
        "statement_timeout": "60s", "idle_in_transaction_session_timeout": "15s", "work_mem": "64MB",
    ]

    /// Settings that the statements rely on. Each finds its rows by an index in the order of its arrays: that is the
    /// order in which rows are locked, and no plan depends on statistics. A plan is made once, not for each array.
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
