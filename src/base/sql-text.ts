// Texts in SQL.

/** A text as a literal of SQL, as DuckDB and PostgreSQL read it. */
export const quote = (text: string): string => `'${text.replaceAll("'", "''")}'`
