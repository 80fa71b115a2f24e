// Lays an evaluation out as tables for people: titles, heads and rows. Ratios have three digits.
import { RISK_LEVELS } from '../../src/base/vocabulary.ts'
import type { Evaluation } from './evaluate.ts'
import type { FundedVerdict } from './funded-report.ts'
import { EXITS, type ProtocolReport, type PulledReport, type RugReport } from './rug-report.ts'
import type { SybilReport } from './sybil-report.ts'
import type { WalletReport } from './wallet-report.ts'
import type { WashReport } from './wash-report.ts'

export interface ReportTable {
  title: string
  heads: string[]
  rows: (string | number | null)[][]
}

/** The tables of an evaluation. Rows that could not be used come first. */
export const tabulate = (evaluation: Evaluation): ReportTable[] => [
  ...tabulateLeftOut(evaluation.leftOut),
  ...tabulateJudged(evaluation),
]

const tabulateLeftOut = (leftOut: Evaluation['leftOut']): ReportTable[] =>
  leftOut.length === 0
    ? []
    : [
        {
          title: 'Rows left out',
          heads: ['file', 'reason', 'rows', 'the first'],
          rows: leftOut.map(({ file, reason, rows, example }) => [file, reason, rows, example]),
        },
      ]

function tabulateJudged(evaluation: Evaluation): ReportTable[] {
  switch (evaluation.kind) {
    case 'rug-ethereum':
      return tabulateRugs(evaluation.tokens)
    case 'rug-polygon':
      return [...tabulateRugs(evaluation.tokens), tabulateWash(evaluation.washTrading)]
    case 'wallet-skill':
      return tabulateWallets(evaluation.wallets)
    case 'sybil':
      return [...tabulateSybil(evaluation.sybil), tabulateFunded(evaluation.funded)]
  }
}

function tabulateRugs({ tokens, rugs, protocols, liquidityPulled }: RugReport): ReportTable[] {
  return [
    {
      title: `Risk score against rugs: ${tokens} tokens, ${rugs} rugs. For tokens that the model was fitted to this proves little: see calibrate`,
      heads: ['protocol', 'n', 'rugs', 'AUC', '95 % interval'],
      rows: protocols.map((it) => [it.protocol, it.n, ratio(it.positiveShare), ratio(it.auc), range(it.interval)]),
    },
    tabulateRates(protocols),
    tabulateLevels(protocols),
    tabulateExits(protocols),
    tabulateAges(protocols),
    tabulatePulled(liquidityPulled),
  ]
}

const tabulateRates = (protocols: readonly ProtocolReport[]): ReportTable => ({
  title: 'Precision / recall when the riskiest share is flagged',
  heads: ['protocol', ...(protocols[0]?.atRates ?? []).map(({ rate }) => `${rate * 100} %`)],
  rows: protocols.map((it) => [it.protocol, ...it.atRates.map(judgement)]),
})

const tabulateLevels = (protocols: readonly ProtocolReport[]): ReportTable => ({
  title: 'Share of rugs by risk level (number of tokens)',
  heads: ['protocol', ...RISK_LEVELS],
  rows: protocols.map((it) => [
    it.protocol,
    ...RISK_LEVELS.map((level) => `${ratio(it.levels[level].rugShare)} (${it.levels[level].n})`),
  ]),
})

const tabulateExits = (protocols: readonly ProtocolReport[]): ReportTable => ({
  title: 'Share of rugs by who can withdraw over half of the liquidity; of medium risk alone (number of tokens)',
  heads: ['protocol', ...EXITS.flatMap((exit) => [exit, `${exit}, medium`])],
  rows: protocols.map((it) => [
    it.protocol,
    ...EXITS.flatMap((exit) =>
      [it.exits[exit], it.exits[exit].medium].map((own) => `${ratio(own.rugShare)} (${own.n})`),
    ),
  ]),
})

const tabulateAges = (protocols: readonly ProtocolReport[]): ReportTable => ({
  title: 'AUC by age at the snapshot, from so many hours on (number of snapshots)',
  heads: [
    'protocol',
    ...(protocols.find((it) => it.byAge.length)?.byAge ?? []).map(({ fromHours }) => `${fromHours} h`),
  ],
  rows: protocols
    .filter((it) => it.byAge.length > 0)
    .map((it) => [it.protocol, ...it.byAge.map(({ auc, n }) => `${ratio(auc)} (${n})`)]),
})

const tabulatePulled = (it: PulledReport): ReportTable => ({
  title: 'Flag liquidity_pulled: right after liquidity rugs, and at the same ages of tokens that never rug',
  heads: ['rugs', 'healthy', 'precision', 'recall', 'healthy flagged at the end'],
  rows: [[it.rugs, it.healthy, ratio(it.precision), ratio(it.recall), it.healthyFlaggedAtEnd]],
})

const tabulateWash = (it: WashReport): ReportTable => ({
  title: `Flag wash_trading: ${it.untouchedFlagged} of ${it.pools} untouched pools flagged (${ratio(it.untouchedRate)})`,
  heads: ['injected volume', 'wallets', 'n', 'recall'],
  rows: it.injected.map(({ volumeShare, wallets, n, recall }) => [
    `${volumeShare * 100} %`,
    wallets === 3 ? '3-6' : String(wallets),
    n,
    ratio(recall),
  ]),
})

const tabulateWallets = (it: WalletReport): ReportTable[] => [
  {
    title: 'Reputation after the first 60 % of closed trades, against the profit of trades opened later',
    heads: ['wallets', 'judged', 'profitable later', 'AUC', '95 % interval', 'wallets left out', 'shrunk win rate'],
    rows: [
      [
        it.wallets,
        it.n,
        ratio(it.positiveShare),
        ratio(it.auc),
        range(it.interval),
        ratio(it.leftOutAuc),
        ratio(it.winRateAuc),
      ],
    ],
  },
  {
    title: 'Later profit by quintile of reputation',
    heads: ['quintile', 'n', 'mean reputation', 'profitable later', 'median profit, USD'],
    rows: it.quintiles.map((one) => [
      one.quintile,
      one.n,
      one.meanReputation.toFixed(1),
      ratio(one.profitableShare),
      one.medianProfitUsd.toFixed(2),
    ]),
  },
]

const tabulateSybil = (it: SybilReport): ReportTable[] => [
  {
    title: 'Clusters against reviewed sybils',
    heads: ['wallets', 'sybils', 'clusters', 'flagged', 'precision', 'recall', 'F1'],
    rows: [[it.wallets, it.sybils, it.clusters, it.flagged, ...verdict(it)]],
  },
  {
    title: 'Without the two largest clusters',
    heads: ['thresholds', 'wallets', 'least size', 'least senders', 'flagged', 'precision', 'recall', 'F1'],
    rows: [
      ['served', it.withoutRings.wallets, '', '', it.withoutRings.served.flagged, ...verdict(it.withoutRings.served)],
      [
        ...['chosen here', it.withoutRings.wallets, it.withoutRings.chosen.minSize, it.withoutRings.chosen.minSharing],
        ...[it.withoutRings.chosen.flagged, ...verdict(it.withoutRings.chosen)],
      ],
    ],
  },
  {
    title: 'Parts of the graph, by thresholds that were chosen on the other parts',
    heads: ['part', 'wallets', 'least size', 'least senders', 'flagged', 'precision', 'recall', 'F1'],
    rows: [
      ...it.leftOut.parts.map((part, at) => [
        String(at + 1),
        part.wallets,
        part.minSize,
        part.minSharing,
        part.flagged,
        ...verdict(part),
      ]),
      ['all', it.wallets, '', '', it.leftOut.flagged, ...verdict(it.leftOut)],
    ],
  },
]

const tabulateFunded = (verdicts: readonly FundedVerdict[]): ReportTable => ({
  title: 'Wallets that one wallet paid, against reviewed sybils',
  heads: ['least wallets', 'flagged', 'precision', 'recall'],
  rows: verdicts.map(({ least, flagged, precision, recall }) => [least, flagged, ratio(precision), ratio(recall)]),
})

const verdict = (it: Pick<SybilReport, 'precision' | 'recall' | 'f1'>): string[] =>
  [it.precision, it.recall, it.f1].map(ratio)

const ratio = (value: number | null): string => (value === null ? '-' : value.toFixed(3))
const range = (interval: readonly [number, number] | null): string =>
  interval ? `${ratio(interval[0])}-${ratio(interval[1])}` : '-'
const judgement = ({ precision, recall }: { precision: number | null; recall: number | null }): string =>
  `${ratio(precision)} / ${ratio(recall)}`
