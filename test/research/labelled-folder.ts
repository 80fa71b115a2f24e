// Small folders in the formats of `evaluate`, with made-up addresses. In rugs one wallet owns the liquidity and there
// is little trade. In the other tokens liquidity is spread and there is a trade every hour.
import { writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { makeFolder } from '../support/folder.ts'

const ZERO = '0x0000000000000000000000000000000000000000'
const START = 1_630_000_000

const address = (n: number) => `0x${n.toString(16).padStart(40, '0')}`

function writeFolder(files: Record<string, string[]>): string {
  const folder = makeFolder('folder')
  for (const [file, lines] of Object.entries(files)) {
    const text = `${lines.join('\n')}\n`
    writeFileSync(join(folder, file), file.endsWith('.gz') ? gzipSync(text) : text)
  }
  return folder
}

/** Tokens that behave as labelled; every third rug falls by a single sale. */
export function writeRugPolygon(tokens = 24): string {
  const labels = ['token_id,token,pair,base,created,label,rug_ts,dump_ts,capped']
  const events = ['token_id,event,direction,wallet,counterparty,amount_base,amount_usd,amount_token_raw,lp,ts,block']
  for (let id = 0; id < tokens; id++) {
    const isRug = id % 2 === 1
    const created = START + id * 7_000
    const rugAt = created + 30 * 3_600 + id * 600
    const isDump = isRug && id % 3 === 0
    labels.push(
      `${id},${address(1_000 + id)},${address(2_000 + id)},USDC,${created},${isRug ? 1 : 0},${isRug && !isDump ? rugAt : 0},${isDump ? rugAt : 0},False`,
    )
    events.push(...polygonEvents({ id, created, isRug, isDump, rugAt }))
  }
  return writeFolder({
    'labels.csv': labels,
    'events.csv.gz': events,
    'prices_daily.csv': ['day,WMATIC,WETH', '2021-08-26,1.5,3200'],
  })
}

/** Labels of traps for the tokens of a folder: every third one. */
export const writeTraps = (folder: string, tokens = 24): string =>
  writeFolder({
    'labels.csv': [
      'folder,token_id,token,rug_label,trapdoor',
      ...Array.from({ length: tokens }, (_, id) => {
        return `${basename(folder)},${id},${address(1_000 + id)},${id % 2},${id % 3 === 0 ? 1 : 0}`
      }),
    ],
  })

interface Plan {
  id: number
  created: number
  isRug: boolean
  isDump: boolean
  rugAt: number
}

function polygonEvents({ id, created, isRug, isDump, rugAt }: Plan): string[] {
  const lines: string[] = []
  let reserve = 0
  const at = (time: number) => `${time},${Math.floor(time / 2)}`
  const row = (event: string, direction: string, wallet: string, to: string, base: number, lp: number, time: number) =>
    lines.push(`${id},${event},${direction},${wallet},${to},${base},${base},${base * 10},${lp},${at(time)}`)
  const sync = (time: number) => row('sync', '', '', '', reserve, 0, time)
  const owners = isRug ? 1 : 4
  for (let owner = 0; owner < owners; owner++) {
    reserve += 1_000
    row('lp_transfer', '', ZERO, address(10_000 + id * 10 + owner), 0, 1, created + owner)
    row('liquidity_add', '', address(10_000 + id * 10 + owner), '', 1_000, 0, created + owner)
    sync(created + owner)
  }
  const end = isRug ? rugAt : created + 90 * 3_600
  for (let swap = 0, time = created + 60; time < end; swap++, time += isRug ? 5 * 3_600 : 1_800) {
    const isBuy = swap % 2 === 0
    const amount = 10 + ((swap * 7 + id) % 23) * 9
    reserve += isBuy ? amount : -amount
    row('swap', isBuy ? 'buy' : 'sell', address(20_000 + ((swap * 13 + id) % 50)), address(9), amount, 0, time)
    sync(time)
  }
  if (!isRug) return lines
  if (isDump) row('swap', 'sell', address(10_000 + id * 10), address(9), reserve * 0.97, 0, rugAt)
  else row('liquidity_remove', '', address(10_000 + id * 10), '', reserve * 0.999, 0, rugAt)
  reserve *= isDump ? 0.03 : 0.001
  sync(rugAt)
  return lines
}

/** The same tokens as pools against WETH, opened by wallet `ownerOf`; rug blocks are rounded as in the real source. */
export function writeRugEthereum(tokens = 12, ownerOf = (id: number) => id): string {
  const labels = ['token_id,token,pool,first_block,label,rug_block_by_rule,rug_kind_by_rule,first_ts']
  const events = [
    'token_id,event,direction,wallet,counterparty,amount_weth,amount_token,lp_amount,reserve_weth_after,ts,block,log_index,tx',
  ]
  for (let id = 0; id < tokens; id++) {
    const isRug = id % 2 === 1
    const block = 13_000_000 + id * 500
    const rugBlock = block + 9_003
    labels.push(
      `${id},${address(id)},${address(500 + id)},${block},${isRug ? 1 : 0},${isRug ? Math.round(rugBlock / 10) * 10 : ''},${isRug ? 'lp' : ''},${START + id * 6_500}`,
    )
    const timeOf = (at: number) => START + id * 6_500 + (at - block) * 13
    let reserve = 10
    const row = (event: string, direction: string, wallet: string, weth: number, lp: number, at: number) =>
      events.push(
        `${id},${event},${direction},${wallet},,${weth},${weth * 5},${lp},${reserve},${timeOf(at)},${at},1,t${at}`,
      )
    row('liquidity_add', '', address(700 + ownerOf(id)), 10, 5, block)
    for (let swap = 1; swap < (isRug ? 9 : 300); swap++) {
      reserve += swap % 2 ? 0.1 : -0.1
      row('swap', swap % 2 ? 'buy' : 'sell', '', 0.1, 0, block + swap * (isRug ? 900 : 90))
    }
    if (!isRug) continue
    reserve = 1e-18
    row('liquidity_remove', '', address(700 + ownerOf(id)), 10, 5, rugBlock)
  }
  return writeFolder({ 'labels.csv': labels, 'events.csv.gz': events })
}

/** Wallets: every second one profits from five of six trades, and the others from one of six. */
export function writeWalletSkill(wallets = 20): string {
  const swaps = ['wallet_id,token_id,pool_id,venue,side,usd,tok,ts,block,via_router,entry_above_3d']
  for (let wallet = 0; wallet < wallets; wallet++) {
    const earns = wallet % 2 === 0
    for (let trade = 0; trade < 12; trade++) {
      const time = START + wallet * 100 + trade * 40_000
      const exit = earns === (trade % 6 !== 5) ? 120 : 80
      swaps.push(`${wallet},${trade % 3},1,sushi,buy,100,10,${time},${Math.floor(time / 2)},0,${earns ? 0.8 : 0.2}`)
      swaps.push(`${wallet},${trade % 3},1,sushi,sell,${exit},10,${time + 9_000},${Math.floor(time / 2) + 4_500},0,`)
    }
  }
  return writeFolder({ 'swaps.csv.gz': swaps })
}

/**
 * A chain of nine sybils, eight more that share a target, and pairs of unrelated wallets. One payer paid three of the
 * sybils, and another two of the others.
 */
export function writeSybil(): string {
  const ids = Array.from({ length: 40 }, (_, at) => at)
  const edge = (from: number, to: number) => `n,${from},${to}`
  return writeFolder({
    'wallets.csv.gz': [
      'id,address,sybil,component,component_size',
      ...ids.map((id) => `${id},${address(id)},${id < 17 ? 1 : 0},0,1`),
    ],
    'edges_wallet_wallet.csv.gz': [
      'kind,from_id,to_id',
      ...ids.slice(0, 8).map((id) => edge(id, id + 1)),
      edge(20, 21),
      edge(22, 23),
    ],
    'edges_shared_counterparty.csv.gz': [
      'kind,wallet_dir,wallet_id,counterparty_id',
      ...ids.slice(9, 17).map((id) => `n,out,${id},3`),
      'n,out,30,4',
      'n,out,31,4',
      ...['9', '10', '11'].map((id) => `n,in,${id},5`),
      ...['32', '33'].map((id) => `n,in,${id},6`),
    ],
  })
}
