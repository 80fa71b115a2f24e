// The laws of a verdict for every token of both zoos, before and after the traps close.
import { expect, test } from 'vitest'
import { CASES } from '../../research/zoo/cases.ts'
import { HELD_OUT } from '../../research/zoo/held-out.ts'
import { type Animal, CALLS, headOf, openMarket, openZoo, trade } from '../../research/zoo/market.ts'
import { type Program, startProgram } from '../../research/zoo/program.ts'
import { createWorld } from '../../research/zoo/world.ts'
import type { RiskLevel } from '../../src/base/vocabulary.ts'
import type { VerdictFinding } from '../../src/verdict/finding.ts'
import { ANVIL_MISSING, anvilBinary } from '../support/anvil.ts'
import { brokenLaws } from '../support/verdict-laws.ts'

interface Answer {
  token: {
    riskScore: number
    verdict: { level: RiskLevel; headline: string; findings: VerdictFinding[] } | null
    score: { explanation: { confidenceGaps: string[] } | null }
  }
}

const QUERY = (address: string) => `{ token(address: "${address}") { riskScore
  verdict { level headline findings { kind topic name severity text points } }
  score { explanation { confidenceGaps } } } }`

/** The laws that the verdicts break; each token has a verdict. */
async function readBroken(program: Program, animals: readonly Animal[]): Promise<string[]> {
  const broken: string[] = []
  for (const { one, stage } of animals) {
    const { token } = await program.ask<Answer>(QUERY(stage.token))
    const { riskScore, verdict, score } = token
    if (verdict === null) broken.push(`${one.name}: it has no verdict`)
    else
      broken.push(
        ...brokenLaws({ riskScore, ...verdict, gaps: score.explanation?.confidenceGaps ?? [] }).map(
          (law) => `${one.name}: ${law} (${verdict.headline})`,
        ),
      )
  }
  return broken
}

const ROUNDS = [101, 102, 103, 104, 105]

test.skipIf(!anvilBinary).each([
  ['the zoo', CASES],
  ['the zoo that was held out', HELD_OUT],
] as const)(
  `the laws of a verdict hold for every token of %s, open and closed${anvilBinary ? '' : ` (${ANVIL_MISSING})`}`,
  async (_, cases) => {
    const world = await createWorld()
    const preset = await openMarket(world)
    const animals = await openZoo(world, cases)
    const program = await startProgram(world.anvil.url, preset, CALLS)
    const settle = async () => program.settle(await headOf(world), () => world.mine(1))
    await settle()
    expect(await readBroken(program, animals)).toEqual([])
    for (const { one, stage } of animals) await one.spring?.(stage)
    await world.mine()
    for (const round of ROUNDS) await trade(world, animals, round)
    await settle()
    expect(await readBroken(program, animals)).toEqual([])
    await program.stop()
    await world.stop()
  },
  1_800_000,
)
