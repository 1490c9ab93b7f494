import pg from 'pg';

// The methods by which a client passes answers to its queries. The types leave them out; pg-cursor and
// pg-query-stream implement the same ones.
declare module 'pg' {
  interface QueryConfig {
    queryMode?: 'extended';
  }
  interface Query {
    handleRowDescription(message: unknown): void;
    handleDataRow(message: unknown): void;
    handleCommandComplete(message: unknown, connection: pg.Connection): void;
    handleReadyForQuery(connection: pg.Connection): void;
    handleError(error: Error, connection: pg.Connection): void;
  }
}

/**
 * Several queries that a client sends in one write with one Sync at their end. PostgreSQL makes one transaction of
 * them, answers all in one piece and skips those behind a failure. If sent one by one, each query has a Sync of its own.
 * PostgreSQL then writes, and Node.js reads, each answer by itself, which is several times the work for a page of few rows.
 *
 * After a failure the connection must be closed: the driver believes that the skipped statements are prepared.
 */
export class ReadBatch extends pg.Query {
  readonly #queries: pg.Query[] = [];
  #answered = 0;

  constructor() {
    super('');
  }

  add(query: pg.Query): void {
    this.#queries.push(query);
  }

  override submit = (connection: pg.Connection): void => {
    // Each query sends its messages as ever, but for the Sync.
    const withoutSync: pg.Connection = Object.create(connection, { sync: { value: () => undefined } });
    connection.stream.cork();
    for (const query of this.#queries) query.submit(withoutSync);
    connection.sync();
    connection.stream.uncork();
  };

  override handleRowDescription(message: unknown): void {
    this.#queries[this.#answered]!.handleRowDescription(message);
  }

  override handleDataRow(message: unknown): void {
    this.#queries[this.#answered]!.handleDataRow(message);
  }

  override handleCommandComplete(message: unknown, connection: pg.Connection): void {
    this.#queries[this.#answered++]!.handleCommandComplete(message, connection);
  }

  override handleReadyForQuery(connection: pg.Connection): void {
    for (const query of this.#queries) query.handleReadyForQuery(connection);
  }

  override handleError(error: Error, connection: pg.Connection): void {
    for (const query of this.#queries) query.handleError(error, connection);
  }
}
