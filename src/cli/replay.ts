// `replay FILE`: makes the calls of an answer of the gate again, against any node, and checks who signed the answer. Exits
// with 1 if the signature is wrong, or a call is answered otherwise.
import { readFile } from 'node:fs/promises'
import { Command } from 'commander'
import { z } from 'zod'
import { StartupError } from '../base/errors.ts'
import { MAX_SIGNED, type PublicKey, readSigned } from '../gate/sign.ts'
import type { Context } from './context.ts'

const ANSWER = z.object({ signed: z.string().max(MAX_SIGNED) })
const KEYS = z.object({ keys: z.array(z.looseObject({ kid: z.string(), x: z.string() })).max(100) })
const SIGNED = z.object({
  decision: z.string(),
  token: z.string(),
  block: z.number(),
  calls: z
    .array(z.object({ of: z.string(), method: z.string(), params: z.string(), refused: z.boolean().nullable() }))
    .max(100),
})
type Signed = z.infer<typeof SIGNED>

/** Only questions: an answer of a stranger must not make this node send anything. */
const METHODS: readonly string[] = [
  'eth_call',
  'eth_getCode',
  'eth_getLogs',
  'eth_simulateV1',
  'eth_getTransactionByHash',
]

export const createReplayCommand = (context: Context): Command =>
  new Command('replay')
    .description('Make the calls of an answer of the gate again, and check its signature.')
    .argument('<file>', 'the answer of GET /v1/gate, as JSON')
    .requiredOption('--keys <file>', 'the public keys: /.well-known/jwks.json of the server that answered')
    .option('--rpc <url>', 'the node that is asked; without it only the signature is checked')
    .action(async (file: string, { keys, rpc }: { keys: string; rpc?: string }) => {
      const { signed } = await readJson(file, ANSWER)
      const known = (await readJson(keys, KEYS)).keys as unknown as PublicKey[]
      const read = SIGNED.safeParse(readSigned(signed, known))
      if (!read.success) throw new StartupError('None of these keys signed this answer.', 1)
      const { decision, token, block } = read.data
      context.print(`signed: ${decision} ${token} at block ${block}`)
      if (rpc !== undefined) await replay(context, rpc, read.data)
    })

async function readJson<Of extends z.ZodType>(file: string, form: Of): Promise<z.infer<Of>> {
  let json: unknown
  try {
    json = JSON.parse(await readFile(file, 'utf8'))
  } catch (error) {
    throw new StartupError(`${file} cannot be read as JSON: ${error instanceof Error ? error.message : 'unknown'}`, 1)
  }
  const read = form.safeParse(json)
  if (!read.success) throw new StartupError(`${file} is not of the expected form: ${z.prettifyError(read.error)}`, 1)
  return read.data
}

async function replay({ print, clock, signal }: Context, url: string, { calls }: Signed): Promise<void> {
  if (!/^https?:\/\//.test(url)) throw new StartupError('--rpc must begin with http:// or https://.', 2)
  const { createRpc } = await import('../chain/rpc/rpc.ts')
  const { SAFETY_ENDPOINT } = await import('../safety/check/safety.ts')
  const rpc = createRpc({ urls: [url], clock, signal, ...SAFETY_ENDPOINT })
  const asked = calls.filter(({ method }) => METHODS.includes(method))
  const answers = await rpc.batch(
    asked.map(({ method, params }) => ({ method, params: JSON.parse(params) as unknown[] })),
    2,
  )
  let differing = 0
  for (const [at, { of, method, refused }] of asked.entries()) {
    const error = answers[at]?.error
    const isRefused = error?.kind === 'execution'
    const isAnswered = answers[at] !== undefined && (!error || isRefused)
    const isOther = isAnswered && refused !== null && refused !== isRefused
    if (isOther) differing += 1
    const told = !isAnswered ? 'the node does not answer' : isRefused ? 'refused' : 'answered'
    print(`${of}: ${method} ${told}${isOther ? `, and ${refused ? 'was refused' : 'was answered'} before` : ''}`)
  }
  if (differing > 0) throw new StartupError(`${differing} of ${asked.length} calls are answered otherwise.`, 1)
}
