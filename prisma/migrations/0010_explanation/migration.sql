-- An explanation is written with every score and read now and then: as text, which is stored as it comes. To take it apart
-- as jsonb and to press it together was most of what a score's row cost to write. Undone rows get back the very same text.
ALTER TABLE token_score ALTER COLUMN explanation TYPE text USING explanation::text;
ALTER TABLE wallet_score ALTER COLUMN explanation TYPE text USING explanation::text;
ALTER TABLE token_score SET (toast_tuple_target = 8160);
ALTER TABLE wallet_score SET (toast_tuple_target = 8160);
