// The demo chain as an endpoint: moving, or still where its recording ends.
import type { Clock } from '../../base/clock.ts'
import type { Endpoint } from '../rpc/endpoint.ts'
import { createMovingTape } from './moving.ts'
import { type Recording, readRecording } from './recording.ts'
import { createReplay, playTape } from './replay.ts'
import { createRounds, type Rounds } from './rounds.ts'
import { createState } from './state.ts'
import { BLOCK_SECONDS, openTimeline } from './timeline.ts'

export interface DemoOptions {
  /** Where the chain keeps how far it came. */
  dataDir: string
  /** Whether it stays where it is. */
  isStill: boolean
  /** Gets what is about to happen, in a sentence. */
  onNews?: (news: string) => void
}

/** Opens the demo; without options it ends with its recording. */
export function openDemo(options: DemoOptions | undefined, clock: Clock): Endpoint {
  const recording = readRecording()
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
      `the index of this data folder has the dates of the recording, which does not move them: for ${Math.round(seconds / 86_400)} days before the next block nothing happened. A new data folder has no such gap`,
    )
  const onRest = (reason: string | null) =>
    onNews?.(
      reason === null
        ? 'the chain goes on'
        : `the chain rests, because its file in DATA_DIR cannot be written (${reason}): it goes on when it can`,
    )
  const timeline = openTimeline({ ...options, clock, last, onBlock, onGap, onRest })
  return playTape(createMovingTape(recording, rounds, timeline))
}

/** The rounds, worked out when they are first asked for: what was recorded needs none of them, nor does a start on a complete index for some seconds. */
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
