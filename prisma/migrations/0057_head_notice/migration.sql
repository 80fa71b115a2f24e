-- Counts the notices that answers changed though the newest block is the same, so that a process can tell that it missed one.
CREATE SEQUENCE head_notice;
