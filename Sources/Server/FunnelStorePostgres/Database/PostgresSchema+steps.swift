extension PostgresSchema {
    /// The statements that lead from each version to the next. Never change a released step; add another one.
    static let steps = [
        // installs: an id may be too long for an index, see InstallKey. The fill factor leaves space in each page, so
        // that an updated row stays in its page and the index does not change.
        // segments: see PostgresSegmentWriter. by_value is true if value is a breakdown value, which may be empty, and
        // false if the segment is of all actors. A value may be too long for an index, so its hash is indexed.
        // writers: the number of each consumer's last commit, see CommitMarker.
        """
        CREATE TABLE flow_funnels_schema(version bigint NOT NULL);
        CREATE TABLE flow_funnels_identity(
            id int PRIMARY KEY CHECK (id = 1),
            cluster_id text NOT NULL,
            topic text NOT NULL
        );
        CREATE TABLE flow_funnels_funnels(
            position int PRIMARY KEY,
            name text NOT NULL UNIQUE,
            definition text NOT NULL
        );
        CREATE TABLE flow_funnels_partitions(
            partition int PRIMARY KEY,
            next_offset bigint NOT NULL,
            watermark bigint,
            events bigint NOT NULL,
            duplicates bigint NOT NULL,
            late bigint NOT NULL,
            dead_letters bigint NOT NULL
        );
        CREATE TABLE flow_funnels_installs(
            install bytea PRIMARY KEY,
            version bigint NOT NULL,
            state bytea NOT NULL
        ) WITH (fillfactor = 80);
        CREATE TABLE flow_funnels_segments(
            id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
            funnel int NOT NULL,
            by_value boolean NOT NULL,
            day int NOT NULL,
            value bytea NOT NULL,
            body bytea NOT NULL
        );
        CREATE INDEX flow_funnels_segments_by_key
            ON flow_funnels_segments(funnel, by_value, day, sha256(value));
        CREATE TABLE flow_funnels_writers(
            writer uuid PRIMARY KEY,
            commit_number bigint NOT NULL,
            seen timestamptz NOT NULL
        );
        """,
        // generation: the number of rebuilds, see FunnelRebuilding.
        // beginnings: the funnels that were counted when the topic's first records were already deleted.
        """
        ALTER TABLE flow_funnels_identity ADD COLUMN generation bigint NOT NULL DEFAULT 0;
        CREATE TABLE flow_funnels_beginnings(
            funnel text PRIMARY KEY,
            first_day int NOT NULL
        );
        """,
        // capped: the number of installs with too many events.
        "ALTER TABLE flow_funnels_partitions ADD COLUMN capped bigint NOT NULL DEFAULT 0",
        // has_all_sequences: false for a store that was begun by a version without sequence numbers.
        """
        ALTER TABLE flow_funnels_identity ADD COLUMN has_all_sequences boolean NOT NULL DEFAULT true;
        UPDATE flow_funnels_identity SET has_all_sequences = false;
        ALTER TABLE flow_funnels_partitions
            ADD COLUMN expected bigint NOT NULL DEFAULT 0,
            ADD COLUMN missing bigint NOT NULL DEFAULT 0,
            ADD COLUMN unread bigint NOT NULL DEFAULT 0,
            ADD COLUMN dropped_queue_full bigint NOT NULL DEFAULT 0,
            ADD COLUMN dropped_expired bigint NOT NULL DEFAULT 0,
            ADD COLUMN dropped_not_stored bigint NOT NULL DEFAULT 0,
            ADD COLUMN dropped_rejected bigint NOT NULL DEFAULT 0,
            ADD COLUMN dropped_other bigint NOT NULL DEFAULT 0,
            ADD COLUMN unchecked bigint NOT NULL DEFAULT 0;
        """,
        // The segments get a new encoding, see convertSegments. The column gets a new name, so that an older program
        // that still runs fails instead of misreading them.
        "ALTER TABLE flow_funnels_segments RENAME COLUMN body TO attempts",
        // installs: a commit rewrites a third of the rows of a page, so a third of it is left free for their new versions.
        // history: see HistoryRow. A block is about 3 kB and written once, so it is kept in its row.
        // topic_id, partition_count, greatest_lateness: null until a consumer knows them.
        // beginnings: first_known is the first day that was read where a funnel counts first entries.
        // result_counts: the contents of funnel_results, see ResultCount and PostgresResultCountWriter. countResults fills
        // it. The value is empty for all actors.
        """
        ALTER TABLE flow_funnels_installs SET (fillfactor = 65);
        CREATE TABLE flow_funnels_history(
            install bytea NOT NULL,
            number bigint NOT NULL,
            state bytea NOT NULL,
            PRIMARY KEY (install, number)
        ) WITH (toast_tuple_target = 8160);
        ALTER TABLE flow_funnels_partitions
            ADD COLUMN is_at_end boolean NOT NULL DEFAULT false,
            ADD COLUMN last_offset bigint,
            ADD COLUMN last_timestamp bigint,
            ADD COLUMN last_checksum bigint;
        ALTER TABLE flow_funnels_identity
            ADD COLUMN topic_id text,
            ADD COLUMN partition_count int,
            ADD COLUMN greatest_lateness bigint;
        CREATE TABLE flow_funnels_time_zones(
            name text PRIMARY KEY,
            transitions bytea NOT NULL
        );
        ALTER TABLE flow_funnels_beginnings ALTER COLUMN first_day DROP NOT NULL, ADD COLUMN first_known int;
        CREATE TABLE flow_funnels_result_counts(
            id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
            funnel int NOT NULL,
            by_value boolean NOT NULL,
            day int NOT NULL,
            value bytea NOT NULL,
            previous_gap int NOT NULL,
            next_gap int NOT NULL,
            depth int NOT NULL,
            actors bigint NOT NULL
        ) WITH (fillfactor = 70);
        CREATE INDEX flow_funnels_result_counts_by_key ON flow_funnels_result_counts(
            funnel, by_value, day, sha256(value), previous_gap, next_gap, depth
        );
        CREATE VIEW funnel_results(funnel, value, day, previous_day, next_day, depth, actors) AS
        SELECT f.name,
            CASE WHEN r.by_value THEN convert_from(r.value, 'UTF8') END,
            DATE '1970-01-01' + r.day,
            CASE WHEN r.previous_gap > 0 THEN DATE '1970-01-01' + (r.day - r.previous_gap) END,
            CASE WHEN r.next_gap > 0 THEN DATE '1970-01-01' + (r.day + r.next_gap) END,
            r.depth, r.actors
        FROM flow_funnels_result_counts r JOIN flow_funnels_funnels f ON f.position = r.funnel;
        """,
    ]
}
