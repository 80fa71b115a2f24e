// Compiles the code that checks lay over addresses: `npx tsx test/safety/compile-code.ts` writes trader.json, actor.json and shared.json
// beside their sources. A test compares.
import { readFileSync, writeFileSync } from 'node:fs'
import { compileSolidity } from '../../research/zoo/compile.ts'

const folder = new URL('../../src/safety/', import.meta.url)
const readSource = (path: string) => readFileSync(new URL(path, folder), 'utf8')

/** The code for addresses, and that of a constructor. */
export function compileTrader(): { trader: string; launch: string } {
  const { Trader, Launch } = compileSolidity({ 'Trader.sol': readSource('sale/Trader.sol') })
  return { trader: Trader?.runtime ?? '', launch: Launch?.creation ?? '' }
}

export function compileActor(): { actor: string } {
  const { Actor } = compileSolidity({ 'Actor.sol': readSource('code/Actor.sol') })
  return { actor: Actor?.runtime ?? '' }
}

export function compileShared(): Record<'reader' | 'slots' | 'gate' | 'trier', string> {
  const { Reader, Slots, Gate, Trier } = compileSolidity({ 'Shared.sol': readSource('node/Shared.sol') })
  const [reader = '', slots = '', gate = '', trier = ''] = [Reader, Slots, Gate, Trier].map((each) => each?.runtime)
  return { reader, slots, gate, trier }
}

if (process.argv[1]?.endsWith('compile-code.ts')) {
  const write = (path: string, code: object) =>
    writeFileSync(new URL(path, folder), `${JSON.stringify(code, null, 2)}\n`)
  write('sale/trader.json', compileTrader())
  write('code/actor.json', compileActor())
  write('node/shared.json', compileShared())
}
