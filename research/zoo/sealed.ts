// The sealed zoo: tokens by an author who never saw the checks or what they had found. What a check must say was
// decided before one ran.
import { encodeFunctionData, getContractAddress, keccak256, parseAbi, stringToHex, zeroHash } from 'viem'
import { type Address, toAddress } from '../../src/base/address.ts'
import { owned, plain, type ZooCase } from './cases.ts'
import { contractOf, type Make, type Stage } from './stage.ts'
import { accountOf, ether, type World } from './world.ts'

const COLLECTOR = accountOf('collector')
const FOREVER = 2n ** 64n
const MINTER = keccak256(stringToHex('MINTER_ROLE'))
const PAUSER = keccak256(stringToHex('PAUSER_ROLE'))
const PHRASE = keccak256(stringToHex('a phrase'))
const TOKENS = parseAbi([
  'function approve(address,uint256)',
  'function transfer(address,uint256)',
  'function deposit(uint256,address)',
])

type Call = readonly [name: string, ...args: unknown[]]

/** The deployer calls the token before anybody trades it. */
const makeAndCall =
  (contract: string, make: Make, ...calls: Call[]): Make =>
  async (world, deployer) => {
    const token = await make(world, deployer)
    for (const [name, ...args] of calls) await world.send(deployer, token, contractOf(contract).abi, name, args)
    return token
  }

/** Whose first contract is the one that a token of this deployer tells its sales. */
const analystOf = (deployer: Address): Address => accountOf(`analyst of ${deployer}`)

async function makeTellsNobody(world: World, deployer: Address): Promise<Address> {
  const analytics = getContractAddress({ from: analystOf(deployer), nonce: 0n })
  return owned('TellsNobody', analytics)(world, deployer)
}

async function makeRolesRenounced(world: World, deployer: Address): Promise<Address> {
  const roles = [MINTER, PAUSER, zeroHash].map((role): Call => ['renounceRole', role, deployer])
  const vesting = await world.deploy(deployer, contractOf('TeamVesting'), [accountOf('vested team')])
  const given: Call = ['transfer', vesting, ether(150_000_000)]
  return makeAndCall('RolesRenounced', plain('RolesRenounced'), given, ...roles)(world, deployer)
}

async function makeVaultShares(world: World, deployer: Address): Promise<Address> {
  const asset = await world.deploy(deployer, contractOf('VaultAsset'))
  const token = await world.deploy(deployer, contractOf('VaultShares'), [asset])
  await world.send(deployer, asset, TOKENS, 'approve', [token, ether(2_000_000_000)])
  await world.send(deployer, token, TOKENS, 'deposit', [ether(1_000_000_000), deployer])
  return token
}

async function makeBridged({ deploy }: World, deployer: Address): Promise<Address> {
  const council = [0, 1, 2].map((at) => accountOf(`council ${at}`))
  const validators = [0, 1, 2, 3].map((at) => accountOf(`validator ${at}`))
  const timelock = await deploy(deployer, contractOf('BridgeTimelock'), [council])
  const bridge = await deploy(deployer, contractOf('Bridge'), [timelock, validators])
  return deploy(deployer, contractOf('BridgedToken'), [bridge])
}

/** The vault earns a tenth. */
async function earn({ world, deployer, token }: Stage): Promise<void> {
  const asset = toAddress(await world.ask<string>(token, 'function asset() view returns (address)'))
  await world.send(deployer, asset, TOKENS, 'transfer', [token, ether(100_000_000)])
}

async function runMigration({ world, act, deployer, buyers }: Stage): Promise<void> {
  const migration = contractOf('Migration')
  const module = await world.deploy(deployer, migration)
  const data = encodeFunctionData({ abi: migration.abi, functionName: 'migrate', args: [buyers, deployer] })
  await act(deployer, 'ModuleRunner', 'runModule', [module, data])
}

async function permitAndTake({ world, act, buyers, token }: Stage): Promise<void> {
  await world.fund(COLLECTOR)
  for (const buyer of buyers.slice(0, 7)) {
    const amount = await world.ask<bigint>(token, 'function balanceOf(address) view returns (uint256)', buyer)
    await act(COLLECTOR, 'PhrasePermit', 'permit', [buyer, COLLECTOR, amount, FOREVER, 27, zeroHash, PHRASE])
    await act(COLLECTOR, 'PhrasePermit', 'transferFrom', [buyer, COLLECTOR, amount])
  }
}

export const SEALED: readonly ZooCase[] = [
  {
    name: 'the pool becomes a wallet with a limit',
    make: owned('PoolIsWallet'),
    spring: ({ act, deployer, pool }) => act(deployer, 'PoolIsWallet', 'excludeFromMaxWallet', [pool.address, false]),
    trap: 'cannot_sell',
    power: 'limits',
  },
  { name: 'who held for two days pays', make: owned('AgedFee'), loses: '95 %', trap: 'extreme_tax' },
  {
    name: 'a sale must share its block with the owner',
    make: owned('BundledSales'),
    spring: ({ act, deployer }) => act(deployer, 'BundledSales', 'setAntiMev', [true]),
    trap: 'cannot_sell',
    power: 'stop_sales',
  },
  {
    name: 'a module rewrites balances',
    make: owned('ModuleRunner'),
    spring: runMigration,
    trap: 'balances_gone',
    power: 'upgrade',
  },
  {
    name: 'the pool is synced before a sale is paid',
    make: owned('SyncedSale'),
    spring: ({ act, deployer }) => act(deployer, 'SyncedSale', 'setAutoSync', [true]),
    trap: 'cannot_sell',
    power: 'stop_sales',
  },
  {
    name: 'an owner who renounced unlocks',
    make: makeAndCall(
      'LockedThenRenounced',
      owned('LockedThenRenounced'),
      ['lock', 0n],
      ['unlock'],
      ['renounceOwnership'],
    ),
    loses: '96 %',
    async spring({ act, deployer }) {
      await act(deployer, 'LockedThenRenounced', 'unlock')
      await act(deployer, 'LockedThenRenounced', 'setSellTax', [96n])
    },
    trap: 'extreme_tax',
    power: 'fee',
  },
  {
    name: 'code comes to an empty address',
    make: makeTellsNobody,
    async spring({ world, deployer }) {
      await world.fund(analystOf(deployer))
      await world.deploy(analystOf(deployer), contractOf('Analytics'))
    },
    trap: 'cannot_sell',
    power: 'stop_sales',
  },
  {
    name: 'a phrase signs permits for all',
    make: ({ deploy }, deployer) => deploy(deployer, contractOf('PhrasePermit'), [keccak256(PHRASE)]),
    spring: permitAndTake,
    trap: 'taken_without_approval',
    power: 'take',
  },
  {
    name: 'the first minter comes late',
    make: plain('LateMinter'),
    loses: '99 %',
    async spring({ world, act, deployer }) {
      await world.fund(COLLECTOR)
      await act(deployer, 'LateMinter', 'grantRole', [MINTER, COLLECTOR])
      await world.mine()
      await act(COLLECTOR, 'LateMinter', 'mint', [COLLECTOR, ether(100_000_000_000)])
    },
    trap: 'late_mint',
    power: 'mint',
  },
  {
    name: 'balances are times a factor that falls',
    make: owned('ScaledBalances'),
    loses: '99.9 %',
    spring: ({ act, deployer }) => act(deployer, 'ScaledBalances', 'adjust', [10n ** 15n]),
    trap: 'balances_gone',
    power: 'take',
  },
  {
    name: 'approvals end with their season',
    make: owned('ApprovalsOfASeason'),
    spring: ({ act, deployer }) => act(deployer, 'ApprovalsOfASeason', 'nextSeason'),
    trap: 'cannot_sell',
    power: 'stop_sales',
  },
  { name: 'a sale takes the rest as well', make: owned('SweepsTheRest'), loses: 'the rest', trap: 'extreme_tax' },
  { name: 'roles were renounced and the team vests', make: makeRolesRenounced, trap: null },
  {
    name: 'launch limits were lifted',
    make: makeAndCall('LaunchLimits', owned('LaunchLimits'), ['removeLimits']),
    trap: null,
  },
  { name: 'shares of a vault', make: makeVaultShares, spring: earn, trap: null },
  {
    name: 'it pays dividends',
    make: plain('PaysDividends'),
    async spring({ world, act, deployer, buyers, token }) {
      await world.sendData(deployer, token, '0x', ether(10))
      await world.mine()
      for (const buyer of buyers.slice(0, 3)) await act(buyer, 'PaysDividends', 'withdrawDividend')
    },
    trap: null,
  },
  { name: 'a bridge behind a timelock mints', make: makeBridged, trap: null, most: 30 },
  { name: 'as Solady has it, with Permit2', make: plain('SoladyPermit2'), trap: null },
  { name: 'as Vyper lays it out', make: plain('VyperLayout'), trap: null },
  {
    name: 'a bounded fee becomes liquidity',
    make: (world, deployer) => owned('AutoLiquidity', world.v2Router)(world, deployer),
    spring: ({ act, deployer }) => act(deployer, 'AutoLiquidity', 'setFee', [5n]),
    trap: null,
  },
]
