// Why the index waits: the one value that log, `/readyz`, status and page show.
import { keysOf } from './keys-of.ts'

/** Each kind with its sentence. A sentence has nothing of a provider's own words, because `/readyz` needs no key. */
export const WAIT_SENTENCES = {
  provider_fails: 'no endpoint of RPC_URL answers: the index goes on where it stopped when one does',
  block_refused:
    'RPC_URL does not give a block that the index needs: it is asked again. If it lasts: add another provider to ' +
    'RPC_URL, set HISTORY_FILES, or begin a new index with a later START',
  contradiction: 'answers of RPC_URL contradict each other: the blocks are read again until they agree',
  rule_broken:
    'RPC_URL gives a block against a rule of the protocol, again and again: the index stays before it until it, or ' +
    'another provider in RPC_URL, gives another answer',
  lower_head: 'the head of RPC_URL went back: the index waits for it, and follows it if it grows another branch',
  below_finality:
    'a block that counted as final is no longer on the chain of RPC_URL: nothing is changed until it is again. If the ' +
    'chain is the right one, run "assay reindex --from" with an earlier block',
  history: 'scores need older events, which the history does not give: the index waits; nothing is lost',
  disk_full: 'no space left on the disk of the database: free some to continue; nothing is lost',
  database: 'the database is unavailable; retrying',
} as const

export type WaitKind = keyof typeof WAIT_SENTENCES

export const WAIT_KINDS = keysOf(WAIT_SENTENCES)

/** What the index waits for. */
export interface Wait {
  kind: WaitKind
  sentence: string
  /** The block that it waits for; null: none in particular. */
  block: number | null
  since: Date
}

/** The value in JSON, where the time is a text. */
export type StoredWait = Omit<Wait, 'since'> & { since: string }

export const readWait = (stored: StoredWait | null): Wait | null =>
  stored && { ...stored, since: new Date(stored.since) }
