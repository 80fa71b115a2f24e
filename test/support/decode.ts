// Decodes single logs with the decoder that the indexer uses for whole answers.

import type { DecodedLog } from '../../src/chain/event.ts'
import { readParsed } from '../../src/chain/logs/answer.ts'
import { createDecode } from '../../src/chain/logs/decode.ts'
import type { Preset } from '../../src/chain/presets/preset.ts'
import type { RawLog } from '../../src/chain/raw.ts'

/** Decodes a log as a node sends it; null for a log that Assay does not read. */
export function createLogDecode(preset: Preset): (log: RawLog) => DecodedLog | null {
  const decode = createDecode(preset)
  return (log) => readParsed([log], decode).read(0)
}
