// Serves the generated chain over JSON-RPC from separate processes, so that this one stays small. Input: the number of
// logs, and whether answers are slices of files or encoded anew. Output: a chain that answers.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Chain } from './chain.ts'
import type { GeneratedChain } from './generate.ts'

export type Answers = 'encoded' | 'slices'

/** Generates the chain's files in the folder and serves them. `started` collects the processes that must be ended. */
export async function serveGenerated(
  folder: string,
  { logs, seed, answers, isManaged }: { logs: number; seed: number; answers: Answers; isManaged: boolean },
  started: (child: ChildProcess) => void,
): Promise<Chain> {
  const run = (script: string, ...args: string[]) => {
    const path = new URL(script, import.meta.url).pathname
    const child = spawn(process.execPath, ['--import', 'tsx', path, ...args], {
      stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
    })
    started(child)
    return child
  }
  const [code] = (await once(
    run('generate-files.ts', folder, String(logs), String(seed), isManaged ? 'managed' : ''),
    'exit',
  )) as [number | null]
  if (code !== 0) throw new Error(`the chain could not be generated: exit code ${code}`)
  const server = run('server.ts', folder, answers)
  const [line] = (await once(server.stdout as NodeJS.ReadableStream, 'data')) as [Buffer]
  const made = JSON.parse(readFileSync(join(folder, 'chain.json'), 'utf8')) as GeneratedChain
  return {
    url: line.toString().trim(),
    chainId: made.chainId,
    blocks: made.blocks,
    head: made.blocks - 1,
    limit: (requestsPerSecond) => void server.send({ requestsPerSecond }),
    logs: made.logs,
    readableLogs: made.logs,
    preset: made.preset as unknown as Chain['preset'],
    about:
      `generated: Uniswap V2${isManaged ? ' and V4, half of the logs its manager’s' : ''}, ${Object.keys(made.tokens).length} tokens, ` +
      (answers === 'encoded' ? 'answers encoded for each request, as a node does' : 'answers are slices of files'),
  }
}
