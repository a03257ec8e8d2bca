import FunnelStore

extension PostgresSchema {
    /// Creates the tables of a new store.
    ///
    /// - flow_funnels_identity: `generation` is the number of rebuilds, see FunnelRebuilding. `topic_id`,
    ///   `partition_count` and `greatest_lateness` are null until a consumer knows them, `horizon` until evidence is removed.
    ///   `erasure_key` is the key of the hashes in flow_funnels_erased_installs.
    /// - flow_funnels_partitions: `floor` is null in a partition that is as old as the store.
    /// - flow_funnels_installs: a commit rewrites a third of the rows of a page, so a third of it is left free for their new
    ///   versions, and the index does not change.
    /// - flow_funnels_history: a block is about 3 kB and written once, so it is kept in its row.
    /// - flow_funnels_segments: see PostgresSegmentWriter. `by_value` is true if `value` is a breakdown value, which may be
    ///   empty, and false if the segment is of all actors. A value may be too long for an index, so its hash is indexed.
    /// - flow_funnels_result_counts: the counts of the summary, see OutcomeCount and PostgresResultCountWriter. The value is
    ///   empty for all actors. `shown` is the value as funnel_results shows it, null where that is the value itself.
    /// - flow_funnels_beginnings: the funnels that were counted when the topic's first records were already deleted.
    ///   `first_known` is the first day that was read where a funnel counts first entries.
    /// - flow_funnels_writers: the number of each consumer's last commit, see CommitMarker.
    static let tables = """
        CREATE TABLE flow_funnels_store(version bigint NOT NULL);
        CREATE TABLE flow_funnels_identity(
            id int PRIMARY KEY CHECK (id = 1),
            cluster_id text NOT NULL,
            topic text NOT NULL,
            topic_id text,
            generation bigint NOT NULL DEFAULT 0,
            partition_count int,
            greatest_lateness bigint,
            horizon bigint,
            erasure_key bytea NOT NULL
        );
        CREATE TABLE flow_funnels_erased_installs(
            hash bytea PRIMARY KEY
        );
        CREATE TABLE flow_funnels_funnels(
            position int PRIMARY KEY,
            name text NOT NULL UNIQUE,
            definition text NOT NULL
        );
        CREATE TABLE flow_funnels_time_zones(
            name text PRIMARY KEY,
            transitions bytea NOT NULL
        );
        CREATE TABLE flow_funnels_beginnings(
            funnel text PRIMARY KEY,
            first_day int,
            first_known int
        );
        CREATE TABLE flow_funnels_partitions(
            partition int PRIMARY KEY,
            next_offset bigint NOT NULL,
            floor bigint,
            watermark bigint,
            is_at_end boolean NOT NULL,
            last_offset bigint,
            last_timestamp bigint,
            last_checksum bigint,
            read_at bigint,
            \(QualityColumns.names.map { "\($0) bigint NOT NULL" }.joined(separator: ",\n    "))
        );
        CREATE TABLE flow_funnels_installs(
            install bytea PRIMARY KEY,
            version bigint NOT NULL,
            state bytea NOT NULL
        ) WITH (fillfactor = 65);
        CREATE TABLE flow_funnels_history(
            install bytea NOT NULL,
            number bigint NOT NULL,
            state bytea NOT NULL,
            PRIMARY KEY (install, number)
        ) WITH (toast_tuple_target = 8160);
        CREATE TABLE flow_funnels_segments(
            id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
            funnel int NOT NULL,
            by_value boolean NOT NULL,
            day int NOT NULL,
            value bytea NOT NULL,
            attempts bytea NOT NULL
        );
        CREATE INDEX flow_funnels_segments_by_key
            ON flow_funnels_segments(funnel, by_value, day, sha256(value));
        CREATE TABLE flow_funnels_result_counts(
            id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
            funnel int NOT NULL,
            by_value boolean NOT NULL,
            day int NOT NULL,
            value bytea NOT NULL,
            previous_gap int NOT NULL,
            next_gap int NOT NULL,
            outcome bigint NOT NULL,
            actors bigint NOT NULL,
            shown bytea
        ) WITH (fillfactor = 70);
        CREATE INDEX flow_funnels_result_counts_by_key ON flow_funnels_result_counts(
            funnel, by_value, day, sha256(value), previous_gap, next_gap, outcome
        );
        CREATE TABLE flow_funnels_writers(
            writer uuid PRIMARY KEY,
            commit_number bigint NOT NULL,
            seen timestamptz NOT NULL
        );
        CREATE VIEW funnel_results(funnel, value, day, previous_day, next_day, depth, actors) AS
        SELECT f.name,
            CASE WHEN r.by_value THEN convert_from(coalesce(r.shown, r.value), 'UTF8') END,
            DATE '1970-01-01' + r.day,
            CASE WHEN r.previous_gap > 0 THEN DATE '1970-01-01' + (r.day - r.previous_gap) END,
            CASE WHEN r.next_gap > 0 THEN DATE '1970-01-01' + (r.day + r.next_gap) END,
            (r.outcome & 63)::int, r.actors
        FROM flow_funnels_result_counts r JOIN flow_funnels_funnels f ON f.position = r.funnel;
        """
}
