-- Saved policies of the gate. They belong to an account: a bot asks with a key of its own.
CREATE TABLE gate_policy (
  account_id integer NOT NULL,
  name text NOT NULL,
  bounds text NOT NULL,
  rules text NOT NULL,
  conditions jsonb NOT NULL,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL
);
ALTER TABLE gate_policy ADD CONSTRAINT gate_policy_pkey PRIMARY KEY (account_id, name);
ALTER TABLE gate_policy ADD CONSTRAINT gate_policy_account_id_fkey FOREIGN KEY (account_id) REFERENCES account(id) ON DELETE CASCADE;
