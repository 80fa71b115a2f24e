// The demo chain as an endpoint: moving, or still at the end of its recording.
import type { Clock } from '../../base/clock.ts'
import type { Endpoint } from '../rpc/endpoint.ts'
import { openRecording } from './kept-blocks.ts'
import { createMovingTape } from './moving.ts'
import type { Recording } from './recording.ts'
import { createReplay, playTape } from './replay.ts'
import { createRounds, type Rounds } from './rounds.ts'
import { createState } from './state.ts'
import { BLOCK_SECONDS, openTimeline } from './timeline.ts'

export interface DemoOptions {
  /** The file with the chain's progress. */
  dataDir: string
  /** Whether the chain stands still. */
  isStill: boolean
  /** Gets each coming event of the story, in a sentence. */
  onNews?: (news: string) => void
}

/** Opens the demo; without options it ends with its recording. */
export function openDemo(options: DemoOptions | undefined, clock: Clock): Endpoint {
  const recording = openRecording()
  if (!options) return createReplay(recording)
  const { onNews } = options
  const rounds = openRounds(recording)
  const { hash = '', time = 0 } = recording.blocks.at(-1) ?? {}
  const last = { number: recording.blocks.length - 1, hash, time }
  const onBlock = (number: number) => {
    for (const news of rounds.announce(number, BLOCK_SECONDS)) onNews?.(news)
  }
  const onGap = (seconds: number) =>
    onNews?.(
      `the index in this data folder has the dates of the recording, so no block covers the ${Math.round(seconds / 86_400)} days until now. A new data folder has no such gap`,
    )
  const onRest = (reason: string | null) =>
    onNews?.(
      reason === null
        ? 'the chain goes on'
        : `the chain stands still, because its file in DATA_DIR cannot be written (${reason}); it goes on when it can be`,
    )
  const timeline = openTimeline({ ...options, clock, last, onBlock, onGap, onRest })
  return playTape(createMovingTape(recording, rounds, timeline))
}

/** The rounds, computed on first use: recorded blocks need none, and neither does the start on a complete index. */
function openRounds(recording: Recording): Rounds {
  const first = recording.blocks.length
  const recorded = createState(recording)
  let made: Rounds | undefined
  const rounds = () => {
    made ??= createRounds(recording, recorded)
    return made
  }
  return {
    block: (number, version) => rounds().block(number, version),
    isReplaced: (number) => rounds().isReplaced(number),
    announce: (number, blockSeconds) => rounds().announce(number, blockSeconds),
    contract: (address) => recording.contracts[address] ?? rounds().contract(address),
    state: { read: (name, number) => (number < first ? recorded : rounds().state).read(name, number) },
  }
}
