-- What the scores were computed by: a start with other formulas, weights or words marks all of them as due.
ALTER TABLE chain ADD COLUMN score_form text;
