-- Summaries that a language model wrote: one per token, good for as long as what it was told stays the same.
CREATE TABLE token_summary (
  token_id     integer PRIMARY KEY,
  fingerprint  text NOT NULL,             -- what the model was told, coarsely
  summary      text NOT NULL,
  block_number integer NOT NULL           -- of the facts it was told
);
