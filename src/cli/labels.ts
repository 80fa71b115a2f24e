// `labels import | remove | list`: what lists say of addresses, shown beside what the index found.
import { readFile, stat } from 'node:fs/promises'
import { Command, InvalidArgumentError } from 'commander'
import { type Address, parseAddress } from '../base/address.ts'
import { StartupError } from '../base/errors.ts'
import { notifyHead } from '../ledger/head.ts'
import { type Label, listLabels, removeLabels, saveLabels } from '../ledger/labels.ts'
import { findChain } from '../ledger/read/chain.ts'
import { type Context, withLedger } from './context.ts'
import { type LabelDefaults, parseLabels } from './label-file.ts'
import { formatTable } from './table.ts'

/** The largest file, in bytes. */
const MOST_BYTES = 50_000_000
/** A list that names no confidence is taken at its word. */
const CONFIDENCE = 1

function toAddress(text: string): Address {
  const address = parseAddress(text)
  if (!address) throw new InvalidArgumentError('It must be 0x and 40 hex digits.')
  return address
}

function parseConfidence(text: string): number {
  const value = Number(text)
  if (text.trim() === '' || !(value >= 0 && value <= 1)) throw new InvalidArgumentError('It must be from 0 to 1.')
  return value
}

interface ImportOptions {
  source?: string
  licence?: string
  confidence: number
}

/** The command with its three subcommands. */
export function createLabels(context: Context): Command {
  const { print, clock } = context
  const command = new Command('labels').description('Labels of addresses from lists: exchanges, bridges, funds, bots.')
  command
    .command('import')
    .description('Import labels from CSV (address, kind, name) or from JSON of the Open Labels Initiative.')
    .argument('<file>', 'the file')
    .option('--source <text>', 'the list, if the file does not name it')
    .option('--licence <text>', 'its licence, if the file does not name it')
    .option('--confidence <number>', 'from 0 to 1, if the file does not say it', parseConfidence, CONFIDENCE)
    .action((file: string, options: ImportOptions) =>
      withLedger(context, async ({ database }) => {
        const chainId = (await findChain(database.pool))?.chainId ?? null
        const dated = clock.now().toISOString().slice(0, 10)
        const { source, licence, confidence } = options
        const labels = await readLabelFile(file, { source, licence, confidence, dated, chainId })
        await saveLabels(database.pool, labels)
        await notifyHead(database.pool)
        context.log().info({ file, labels: labels.length }, 'labels were imported')
        print(`${labels.length} labels were imported.`)
      }),
    )
  command
    .command('remove')
    .description('Take back the labels of an address.')
    .argument('<address>', 'the address', toAddress)
    .option('--source <text>', 'only those of this list')
    .action((address: Address, { source }: { source?: string }) =>
      withLedger(context, async ({ database }) => {
        const removed = await removeLabels(database.pool, address, source ?? null)
        if (removed.length === 0) throw new StartupError(`No list labels ${address}.`)
        await notifyHead(database.pool)
        for (const label of removed) context.log().info(label, 'a label was taken back')
        for (const line of toTable(removed)) print(line)
      }),
    )
  command
    .command('list')
    .description('List the labels, by address.')
    .action(() =>
      withLedger(context, async ({ database }) => {
        const labels = await listLabels(database.pool)
        for (const line of labels.length === 0 ? ['There are no labels.'] : toTable(labels)) print(line)
      }),
    )
  return command
}

async function readLabelFile(file: string, defaults: LabelDefaults): Promise<Label[]> {
  try {
    const { size } = await stat(file)
    if (size > MOST_BYTES) throw new Error(`it has more than ${MOST_BYTES} bytes.`)
    return parseLabels(await readFile(file, 'utf8'), defaults)
  } catch (error) {
    throw new StartupError(`${file}: ${error instanceof Error ? error.message : 'it cannot be read.'}`, 2)
  }
}

const toTable = (labels: readonly Label[]): string[] =>
  formatTable(
    ['address', 'kind', 'name', 'source', 'licence', 'confidence', 'date'],
    labels.map(({ address, kind, name, source, licence, confidence, dated }) => [
      address,
      kind,
      name,
      source,
      licence,
      `${confidence}`,
      dated,
    ]),
  )
