// Reads labels from a file. Input: CSV with a line of names, or the JSON of the Open Labels Initiative. Output: labels, or
// an error that names the line and the fault.
import { type Address, parseAddress } from '../base/address.ts'
import { parseJson } from '../base/json.ts'
import { LABEL_KINDS, type LabelKind } from '../base/vocabulary.ts'
import type { Label } from '../ledger/labels.ts'

/** What a file does not say of each label. */
export interface LabelDefaults {
  source: string | undefined
  licence: string | undefined
  dated: string
  confidence: number
  chainId: number | null
}

const MOST_LABELS_IN_FILE = 100_000
const MOST_CHARACTERS = 200
const COLUMNS = ['address', 'kind', 'name', 'source', 'licence', 'confidence', 'date'] as const
type Column = (typeof COLUMNS)[number]
type Fields = Partial<Record<Column, string>>

/** Throws an `Error` with a sentence for the first line that is no label. */
export function parseLabels(text: string, defaults: LabelDefaults): Label[] {
  const rows = /^\s*[[{]/.test(text) ? fromOpenLabels(text, defaults.chainId) : fromCsv(text)
  if (rows.length > MOST_LABELS_IN_FILE)
    throw new Error(`A file may have ${MOST_LABELS_IN_FILE} labels at most, and this one has ${rows.length}.`)
  return rows.map(({ place, fields }) => toLabel(place, fields, defaults))
}

interface Row {
  place: string
  fields: Fields
}

function toLabel(place: string, fields: Fields, defaults: LabelDefaults): Label {
  const refuse = (fault: string): never => {
    throw new Error(`${place}: ${fault}.`)
  }
  const kind = fields.kind?.toLowerCase()
  const confidence = fields.confidence ? Number(fields.confidence) : defaults.confidence
  const dated = (fields.date || defaults.dated).slice(0, 10)
  if (!(confidence >= 0 && confidence <= 1)) refuse('confidence must be from 0 to 1')
  if (!/^\d{4}-\d{2}-\d{2}$/.test(dated) || Number.isNaN(Date.parse(dated))) refuse('date must be like 2026-01-31')
  return {
    address: parseAddress(fields.address ?? '') ?? refuse('address must be 0x and 40 hex digits'),
    kind: LABEL_KINDS.includes(kind as LabelKind)
      ? (kind as LabelKind)
      : refuse(`kind must be ${LABEL_KINDS.join(', ')}`),
    name: readText(fields.name) ?? refuse('name must have 1 to 200 visible characters'),
    source: readText(fields.source || defaults.source) ?? refuse('source is missing: add the column or --source'),
    licence: readText(fields.licence || defaults.licence) ?? refuse('licence is missing: add the column or --licence'),
    confidence,
    dated,
  }
}

/** Null unless everybody can see all of it. */
function readText(text: string | undefined): string | null {
  const trimmed = text?.trim() ?? ''
  const length = [...trimmed].length
  return length < 1 || length > MOST_CHARACTERS || /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/u.test(trimmed) ? null : trimmed
}

function fromCsv(text: string): Row[] {
  const [head, ...lines] = splitCsv(text)
  const names = (head ?? []).map((name) => name.trim().toLowerCase())
  for (const needed of ['address', 'kind', 'name'])
    if (!names.includes(needed)) throw new Error(`The first line must name the columns address, kind and name.`)
  return lines.flatMap((cells, at) =>
    cells.every((cell) => cell.trim() === '')
      ? []
      : [
          {
            place: `line ${at + 2}`,
            fields: Object.fromEntries(names.map((name, column) => [name, cells[column]?.trim()])),
          },
        ],
  )
}

/** Cells by line. A cell in quotes may hold commas, line ends and doubled quotes. (RFC 4180.) */
function splitCsv(text: string): string[][] {
  const lines: string[][] = [[]]
  const cell = /("((?:[^"]|"")*)"|(?!")[^,\r\n]*)(,|\r?\n|$)/y
  for (;;) {
    const [whole, plain = '', quoted, end] = cell.exec(text) ?? []
    if (whole === undefined) throw new Error(`line ${lines.length}: a quote does not end.`)
    lines.at(-1)?.push(quoted === undefined ? plain : quoted.replaceAll('""', '"'))
    if (end === '') return lines
    if (end !== ',') lines.push([])
    if (cell.lastIndex >= text.length && end !== ',') return lines
  }
}

/** The usage categories of Open Labels that are a kind of ours. */
const USAGES: Readonly<Record<string, LabelKind>> = {
  cex: 'exchange',
  custody: 'exchange',
  bridge: 'bridge',
  cc_communication: 'bridge',
  mev: 'mev_bot',
  trading: 'market_maker',
  airdrop: 'other',
  developer_tools: 'deployer',
  contract_deploy: 'deployer',
}

/** Attestations in a list, in `attestations`, or one a line. Tags of other usages are left out. */
function fromOpenLabels(text: string, chainId: number | null): Row[] {
  return readJson(text).flatMap((entry, at): Row[] => {
    const { address, chain_id: chain, recipient, tags_json: json, tags = json, time, attester } = entry as OpenLabel
    const said = (typeof tags === 'string' ? readObject(tags) : tags) ?? {}
    const kind = USAGES[`${said.usage_category ?? ''}`.toLowerCase()]
    const isOther =
      chainId !== null && chain !== undefined && !['any', 'eip155:any', `eip155:${chainId}`].includes(chain)
    if (!kind || isOther) return []
    const name = said.contract_name ?? said.owner_project ?? said.usage_category
    const date = typeof time === 'string' ? time : undefined
    const fields = {
      address: address ?? recipient,
      kind,
      name: `${name}`,
      source: attester && `open_labels ${attester}`,
      date,
    }
    return [{ place: `attestation ${at + 1}`, fields: fields as Fields }]
  })
}

interface OpenLabel {
  address?: Address
  recipient?: Address
  chain_id?: string
  tags?: Record<string, unknown>
  tags_json?: string | Record<string, unknown>
  attester?: string
  time?: unknown
}

function readJson(text: string): object[] {
  const whole =
    readObject(text) ??
    text
      .split('\n')
      .filter((line) => line.trim() !== '')
      .map(readObject)
  const list = Array.isArray(whole) ? whole : ((whole as { attestations?: unknown }).attestations ?? [whole])
  if (!Array.isArray(list) || list.some((entry) => typeof entry !== 'object' || entry === null))
    throw new Error('The file is neither CSV nor a list of attestations.')
  return list
}

const readObject = (text: string): Record<string, unknown> | null =>
  (parseJson(text) as Record<string, unknown> | undefined) ?? null
