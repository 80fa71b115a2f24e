-- Remembered wallets are read anew after a change of a label.
ALTER TABLE chain ADD COLUMN label_edition integer DEFAULT 0 NOT NULL;
