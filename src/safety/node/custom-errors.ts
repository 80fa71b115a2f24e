// Custom errors whose selectors are known, with the types of their arguments. Input: the data of a revert. Output: its
// name and arguments. The names are those of ERC-6093, OpenZeppelin, Solady and Uniswap V4.
import { selectorOf, wordsOf } from '../../chain/contracts/words.ts'

const SIGNATURES = [
  'ERC20InsufficientBalance(address,uint256,uint256)',
  'ERC20InsufficientAllowance(address,uint256,uint256)',
  'ERC20InvalidSender(address)',
  'ERC20InvalidReceiver(address)',
  'ERC20InvalidApprover(address)',
  'ERC20InvalidSpender(address)',
  'ERC20ExceededCap(uint256,uint256)',
  'OwnableUnauthorizedAccount(address)',
  'OwnableInvalidOwner(address)',
  'AccessControlUnauthorizedAccount(address,bytes32)',
  'EnforcedPause()',
  'ExpectedPause()',
  'ReentrancyGuardReentrantCall()',
  'SafeERC20FailedOperation(address)',
  'AddressEmptyCode(address)',
  'AddressInsufficientBalance(address)',
  'FailedCall()',
  'FailedInnerCall()',
  'InsufficientBalance(uint256,uint256)',
  'InsufficientBalance()',
  'InsufficientAllowance()',
  'AllowanceUnderflow()',
  'TotalSupplyOverflow()',
  'TransferFailed()',
  'TransferFromFailed()',
  'Unauthorized()',
  'NotAuthorized()',
  'TradingNotEnabled()',
  'TradingNotOpen()',
  'TradingDisabled()',
  'TransfersDisabled()',
  'TransferNotAllowed()',
  'Blacklisted(address)',
  'Blacklisted()',
  'AccountFrozen(address)',
  'Paused()',
  'CurrencyNotSettled()',
  'PoolNotInitialized()',
  'InvalidHookResponse()',
]

const KNOWN: ReadonlyMap<string, string> = new Map(SIGNATURES.map((signature) => [selectorOf(signature), signature]))

/** "ERC20InvalidSender(0x...)"; null for an unknown selector, and for data of another length. */
export function describeCustomError(data: string): string | null {
  const [, name, types = ''] = /^(\w+)\((.*)\)$/.exec(KNOWN.get(data.slice(0, 10)) ?? '') ?? []
  if (name === undefined) return null
  const kinds = types === '' ? [] : types.split(',')
  const words = wordsOf(data.slice(10))
  if (words.length !== kinds.length || data.length !== 10 + 64 * kinds.length) return null
  return `${name}(${words.map((word, at) => describeWord(word, kinds[at] ?? '')).join(', ')})`
}

function describeWord(word: string, kind: string): string {
  if (kind === 'address') return `0x${word.slice(24)}`
  return kind === 'bytes32' ? `0x${word}` : String(BigInt(`0x${word}`))
}
