// The zoo's goals for the program, and the printed table. Input: the results of each token. Output: lines. Pure.
import type { ZooCase } from './cases.ts'

/** What GraphQL says of a token. */
export interface Told {
  riskScore: number
  riskLevel: 'low' | 'medium' | 'high' | 'critical'
  reasons: { text: string }[]
  sellCheck: { status: string; sellable: boolean | null; reason: string | null }
  powers: { kind: string }[] | null
  contractFindings: { name: string; text: string }[]
}

export const QUERY = (token: string): string => `{ token(address: "${token}") { riskScore riskLevel
  reasons { text } sellCheck { status sellable reason } powers { kind } contractFindings { name text } } }`

export interface Row {
  one: ZooCase
  open: Told
  closed: Told
  /** With CONTRACT_CHECKS=off. */
  unchecked: Told
  /** After closing, until it was high or critical, and named; null: never. */
  blocks: number | null
  /** Of the first check and of the last one. */
  calls: readonly [number, number]
}

/** It is grave, and named. */
export const isFound = ({ trap }: ZooCase, told: Told): boolean =>
  isGrave(told) && told.contractFindings.some(({ name }) => name === trap)

const isGrave = ({ riskLevel }: Told): boolean => riskLevel === 'critical' || riskLevel === 'high'
const HEAD = ['Token', 'A buyer loses', 'Unchecked', 'Open', 'Closed', 'First reason', 'Finding', 'Blocks', 'Calls']

export function toTable(rows: readonly Row[]): string[] {
  const risk = ({ riskScore, riskLevel }: Told) => `${riskScore.toFixed(1)} ${riskLevel}`
  const cells = rows.map(({ one, open, closed, unchecked, blocks, calls }) => [
    one.name,
    one.trap === null ? '0' : (one.loses ?? '100 %'),
    risk(unchecked),
    risk(open),
    risk(closed),
    closed.reasons[0]?.text ?? '',
    closed.contractFindings[0]?.name ?? '',
    one.trap === null ? '' : String(blocks ?? 'never'),
    calls.join(', '),
  ])
  return [HEAD, HEAD.map(() => '---'), ...cells].map((row) => `| ${row.join(' | ')} |`)
}

/**
 * A closed trap is grave and one of its reasons is a finding's; one that can close has its power named.
 * An honest token is at most medium, and low without powers.
 */
export function missedGoals({ one, open, closed }: Row): string[] {
  const first = closed.reasons[0]?.text ?? ''
  const names = closed.contractFindings.map(({ name }) => name)
  if (one.trap === null) {
    const isFair = closed.riskLevel === 'low' || (one.most !== undefined && closed.riskLevel === 'medium')
    return isFair ? [] : [`${one.name} is honest, and ${closed.riskLevel}: ${first}`]
  }
  const texts = closed.contractFindings.map(({ text }) => text.toLowerCase())
  const reasons = closed.reasons.map(({ text }) => text.toLowerCase())
  return [
    ...(isGrave(closed) ? [] : [`${one.name} has closed, and is ${closed.riskLevel}: ${first}`]),
    ...(names.includes(one.trap) ? [] : [`${one.name} lacks ${one.trap}: ${names.join(', ')}`]),
    ...(reasons.some((reason) => texts.some((text) => reason.includes(text)))
      ? []
      : [`no reason names what ${one.name} does: ${reasons.join('; ')}`]),
    ...(one.power && open.riskLevel === 'low' ? [`${one.name} can close, and is low`] : []),
    ...(one.power && !open.powers?.some(({ kind }) => kind === one.power)
      ? [
          `${one.name} has the power ${one.power}, which is not named: ${open.powers?.map(({ kind }) => kind).join(', ')}`,
        ]
      : []),
  ]
}
