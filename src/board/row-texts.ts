// Tokens as a list shows them, as text that is ready to be sent, bounded by bytes. A text is let go when the board hears that its
// token changed.
import { LRUCache } from 'lru-cache'

/** Bytes of all texts together. */
const MOST_BYTES = 16 * 1024 * 1024
/** What a text weighs besides its characters. */
const OVERHEAD_BYTES = 300

/** A token as text, cut where values stand that change with every block. */
export type RowText = readonly string[]

/** Texts of no rows. */
export function createRowTexts(mostBytes = MOST_BYTES) {
  const texts = new LRUCache<number, RowText>({
    maxSize: mostBytes,
    sizeCalculation: (parts) => parts.reduce((sum, part) => sum + 2 * part.length, OVERHEAD_BYTES),
  })
  let revision = 0
  return {
    get: (id: number): RowText | undefined => texts.get(id),
    /** Keeps the text of a row that was read when this was the revision; nothing where rows have changed since then. */
    set: (id: number, text: RowText, readAt: number): void => {
      if (readAt === revision) texts.set(id, text)
    },
    /** Grows whenever rows change. */
    revision: () => revision,
    /** These tokens have changed. */
    letGo: (ids: Iterable<number>): void => {
      revision += 1
      for (const id of ids) texts.delete(id)
    },
    /** The chain went back: what was said of any token after its last block may have been undone. */
    clear: (): void => {
      revision += 1
      texts.clear()
    },
    bytes: () => texts.calculatedSize,
  }
}
