-- Whose trade it was, where that is not the signer: by which rule (1 the sender of an ERC-4337 operation, 2 the owner that a
-- settlement names), and who signed. Null: the signer's own. Null columns of old rows cost nothing.
ALTER TABLE event ADD COLUMN attribution smallint;
ALTER TABLE event ADD COLUMN signer_id integer;
