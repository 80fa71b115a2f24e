// Transfers, and how the wrapped native coin is minted and burned.
import { ZERO_ADDRESS } from '../../base/address.ts'
import type { LogOf } from '../../chain/event.ts'
import type { Work } from '../rows/working-set.ts'
import type { Movement } from '../trades/transfer.ts'
import type { Fact } from './fact.ts'
import type { LogHandlers, Surroundings } from './handler.ts'
import { type Scan, scanMove } from './scan.ts'

type Wrap = LogOf<'deposit' | 'withdrawal'>

export const TOKEN_LOGS: LogHandlers<'transfer' | 'deposit' | 'withdrawal' | 'native_transfer' | 'fee_paid'> = {
  transfer: {
    scan: (found, log) => scanMove(found, log.address, log),
    tell: (_, log) => [moved('transfer', log, log)],
  },
  native_transfer: {
    scan: ({ wallets }, { from, to }) => wallets.add(from).add(to),
  },
  fee_paid: {
    scan: (found, log) => scanMove(found, log.address, log),
    tell: (_, log) => (log.amount === 0n ? [] : [moved('fee', log, log)]),
  },
  deposit: { scan: scanWrap, tell: tellWrap },
  withdrawal: { scan: scanWrap, tell: tellWrap },
}

function scanWrap(found: Scan, log: Wrap, { known }: Surroundings): void {
  if (log.address === known.wrappedNative) scanMove(found, log.address, endsOf(log))
}

/** The wrapped native token's mint and burn log these instead of Transfer. Those of any other contract are ignored. */
function tellWrap({ known }: Work, log: Wrap): readonly Fact[] {
  return log.address === known.wrappedNative ? [moved('wrap', log, endsOf(log))] : []
}

type Ends = Pick<Movement, 'from' | 'to' | 'amount'>

function moved(as: Movement['as'], log: Movement['log'], { from, to, amount }: Ends): Movement {
  return { kind: 'moved', as, log, from, to, amount }
}

const endsOf = (log: Wrap): Ends => ({
  from: log.kind === 'deposit' ? ZERO_ADDRESS : log.from,
  to: log.kind === 'deposit' ? log.to : ZERO_ADDRESS,
  amount: log.amount,
})
