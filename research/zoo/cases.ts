// The animals of the zoo: one line each. A further one is a contract in `contracts` and a line here.
import type { Address } from '../../src/base/address.ts'
import type { ContractFinding, PowerKind } from '../../src/base/vocabulary.ts'
import { relay } from './relay.ts'
import { contractOf, type Make, type Spread, type Stage } from './stage.ts'
import { accountOf, type World } from './world.ts'

export interface ZooCase {
  name: string
  make: Make
  /** What a buyer loses once it is closed; all of it where nothing else is said. */
  loses?: string
  spread?: Spread
  /** Closes the trap; without it the token is as it will always be. */
  spring?: (stage: Stage) => Promise<void>
  /** What a check must find once it is closed; null: the token is honest. */
  trap: ContractFinding | null
  /** What a check must say that somebody could do, before it is closed. */
  power?: PowerKind
  /** The strongest finding that an honest token may have. */
  most?: number
}

/** The token is made with the factory and the wrapped coin, as those of the zoo that make their own pair are. */
export const owned =
  (contract: string, ...others: unknown[]): Make =>
  ({ deploy, v2Factory, weth }, deployer) =>
    deploy(deployer, contractOf(contract), [v2Factory, weth, ...others])
export const plain =
  (contract: string): Make =>
  ({ deploy }, deployer) =>
    deploy(deployer, contractOf(contract))

const HIDDEN_ADMIN = accountOf('hidden admin')
const made = new Map<Address, Address>()

async function makeGuarded({ deploy, v2Factory, weth }: World, deployer: Address): Promise<Address> {
  const guard = await deploy(deployer, contractOf('Guard'))
  const token = await deploy(deployer, contractOf('Guarded'), [v2Factory, weth, guard])
  made.set(token, guard)
  return token
}

async function makeProxy({ deploy }: World, deployer: Address): Promise<Address> {
  const logic = await deploy(deployer, contractOf('HonestLogic'))
  const token = await deploy(deployer, contractOf('SwitchedProxy'), [logic])
  made.set(token, await deploy(deployer, contractOf('GreedyLogic')))
  return token
}

const upgradeData = (to: Address): `0x${string}` => `0x3659cfe6${to.slice(2).padStart(64, '0')}`

async function makeTimelocked(world: World, deployer: Address): Promise<Address> {
  const timelock = await world.deploy(deployer, contractOf('Timelock'))
  const token = await owned('Timelocked')(world, deployer)
  await world.send(deployer, token, contractOf('Timelocked').abi, 'transferOwnership', [timelock])
  return token
}

async function makeRenounced(world: World, deployer: Address): Promise<Address> {
  const token = await owned('Renounced')(world, deployer)
  await world.send(deployer, token, contractOf('Renounced').abi, 'renounceOwnership')
  return token
}

async function makeRoleRenounced(world: World, deployer: Address): Promise<Address> {
  const token = await plain('RenouncedRole')(world, deployer)
  await world.send(deployer, token, contractOf('RenouncedRole').abi, 'renounceMinter')
  return token
}

async function makeHiddenAdmin(world: World, deployer: Address): Promise<Address> {
  await world.fund(HIDDEN_ADMIN)
  const token = await owned('HiddenAdmin', HIDDEN_ADMIN)(world, deployer)
  await world.send(deployer, token, contractOf('HiddenAdmin').abi, 'renounceOwnership')
  return token
}

async function makeWith(world: World, deployer: Address, helper: string, contract: string): Promise<Address> {
  const other = await world.deploy(deployer, contractOf(helper))
  const token = await owned(contract, other)(world, deployer)
  made.set(token, other)
  return token
}

async function makeMultisigOwned(world: World, deployer: Address): Promise<Address> {
  const multisig = await world.deploy(deployer, contractOf('Multisig'))
  const token = await owned('Timelocked')(world, deployer)
  await world.send(deployer, token, contractOf('Timelocked').abi, 'transferOwnership', [multisig])
  return token
}

async function makeTimelockedProxy({ deploy }: World, deployer: Address): Promise<Address> {
  const timelock = await deploy(deployer, contractOf('Timelock'))
  return deploy(deployer, contractOf('TimelockedProxy'), [await deploy(deployer, contractOf('HonestLogic')), timelock])
}

async function makeMappedAdmin(world: World, deployer: Address): Promise<Address> {
  await world.fund(HIDDEN_ADMIN)
  return owned('MappedAdmin', HIDDEN_ADMIN)(world, deployer)
}

/** A minimal clone of code that another made. (EIP-1167.) */
async function makeClone({ deploy, send }: World, deployer: Address): Promise<Address> {
  const logic = await deploy(deployer, contractOf('CloneLogic'))
  const creation = `0x3d602d80600a3d3981f3363d3d373d3d3d363d73${logic.slice(2)}5af43d82803e903d91602b57fd5bf3` as const
  const token = await deploy(deployer, { abi: [], creation })
  await send(deployer, token, contractOf('CloneLogic').abi, 'set', [deployer])
  return token
}

const balanceOf = (world: World, token: Address, holder: Address) =>
  world.ask<bigint>(token, 'function balanceOf(address) view returns (uint256)', holder)

export const CASES: readonly ZooCase[] = [
  { name: 'only the owner sells', make: owned('OwnerSellsOnly'), trap: 'cannot_sell' },
  {
    name: 'buyers are blacklisted later',
    make: owned('LaterBlacklist'),
    spring: ({ act, deployer, buyers }) => act(deployer, 'LaterBlacklist', 'setBots', [buyers, true]),
    trap: 'cannot_sell',
    power: 'blacklist',
  },
  {
    name: 'two former sellers are blacklisted',
    make: owned('LaterBlacklist'),
    loses: '100 % of two',
    spring: ({ act, deployer, buyers }) => act(deployer, 'LaterBlacklist', 'setBots', [buyers.slice(0, 2), true]),
    trap: 'cannot_sell',
    power: 'blacklist',
  },
  {
    name: 'a fee of 2 % becomes 99 %',
    make: owned('RisingFee'),
    loses: '99 %',
    spring: ({ act, deployer }) => act(deployer, 'RisingFee', 'setFee', [99n]),
    trap: 'extreme_tax',
    power: 'fee',
  },
  { name: 'an innocent name mints', make: owned('HiddenMint'), loses: '99 %', trap: 'hidden_power', power: 'mint' },
  {
    name: 'it is paused for good',
    make: owned('PausedForGood'),
    spring: ({ act, deployer }) => act(deployer, 'PausedForGood', 'pause'),
    trap: 'cannot_sell',
    power: 'pause',
  },
  {
    name: 'the largest transaction is 0',
    make: owned('ZeroLimit'),
    spring: ({ act, deployer }) => act(deployer, 'ZeroLimit', 'setMaxTxAmount', [0n]),
    trap: 'cannot_sell',
    power: 'limits',
  },
  {
    name: 'a proxy is switched',
    make: makeProxy,
    spring: ({ world, token, deployer }) => world.sendData(deployer, token, upgradeData(made.get(token) ?? token)),
    trap: 'cannot_sell',
    power: 'upgrade',
  },
  {
    name: 'balances are rewritten',
    make: owned('Rewritten'),
    spring: ({ act, deployer, pool }) => act(deployer, 'Rewritten', 'rebase', [7n, [pool.address, deployer]]),
    trap: 'balances_gone',
    power: 'take',
  },
  {
    name: 'a hidden admin stays after the owner left',
    make: makeHiddenAdmin,
    spring: ({ act }) => act(HIDDEN_ADMIN, 'HiddenAdmin', 'swapAndLiquify', [true]),
    trap: 'cannot_sell',
    power: 'stop_sales',
  },
  { name: 'the deployer spends what others hold', make: owned('SpendsAll'), trap: 'spends_without_allowance' },
  {
    name: 'who approved a router is robbed',
    make: owned('SpendsAll'),
    async spring({ world, act, sell, deployer, buyers, token }) {
      for (const buyer of buyers.slice(0, 7)) await sell(buyer)
      await world.mine()
      for (const buyer of buyers.slice(0, 7))
        await act(deployer, 'SpendsAll', 'transferFrom', [buyer, deployer, await balanceOf(world, token, buyer)])
    },
    trap: 'taken_without_approval',
  },
  { name: 'trading is never opened', make: owned('NeverOpened'), spread: 'airdrop', trap: 'cannot_sell' },
  {
    name: 'another contract decides',
    make: makeGuarded,
    spring: ({ act, deployer, token }) => act(deployer, 'Guard', 'configure', [true], made.get(token)),
    trap: 'cannot_sell',
    power: 'stop_sales',
  },
  {
    name: 'shills sell',
    make: owned('Shills'),
    spring: ({ act, deployer, buyers }) => act(deployer, 'Shills', 'airdrop', [buyers.slice(0, 2)]),
    trap: 'cannot_sell',
  },
  { name: 'it sells for a free simulation', make: owned('OpenToFree'), trap: 'cannot_sell' },
  { name: 'it sells in the block of the purchase', make: owned('OpenAtOnce'), trap: 'cannot_sell' },
  { name: 'a time bomb', make: owned('TimeBomb'), trap: 'time_bomb' },
  { name: 'the log lies about what arrived', make: owned('LyingTransfer'), loses: '99 %', trap: 'extreme_tax' },
  { name: 'it sells for much gas', make: owned('OpenToGas'), trap: 'cannot_sell' },
  { name: 'it sells in blocks without a miner', make: owned('OpenToNoMiner'), trap: 'cannot_sell' },
  { name: 'it sells for the purse of a trial', make: owned('OpenToPurse'), trap: 'cannot_sell' },
  { name: 'it sells for contracts', make: owned('OpenToContracts'), trap: 'cannot_sell' },
  { name: 'it sells in half a minute of each hour', make: owned('OpenHalfAMinute'), trap: 'cannot_sell' },
  { name: 'it says that sellers have too little', make: owned('ClaimsPoverty'), trap: 'cannot_sell' },
  { name: 'it taxes large sales', make: owned('TaxesLargeSales'), loses: '99 %', trap: 'extreme_tax' },
  { name: 'it sells crumbs', make: owned('CrumbsPerHour'), trap: 'cannot_sell' },
  { name: 'the first buyers are locked', make: owned('FirstBuyersLocked'), trap: 'cannot_sell' },
  {
    name: 'routers are refused',
    make: owned('RoutersRefused'),
    spring: ({ act, deployer, buyers }) => act(deployer, 'RoutersRefused', 'mark', [buyers]),
    trap: 'cannot_sell',
    power: 'stop_sales',
  },
  {
    name: 'a second contract mints',
    make: (world, deployer) => makeWith(world, deployer, 'Rewards', 'MintsForRewards'),
    spring: ({ act, deployer, token }) => act(deployer, 'Rewards', 'distribute', [token, 10n ** 28n], made.get(token)),
    loses: '99 %',
    trap: 'hidden_power',
    power: 'mint',
  },
  {
    name: 'a second contract sets the fee',
    make: (world, deployer) => makeWith(world, deployer, 'FeeBook', 'FeeByBook'),
    spring: ({ act, deployer, token }) => act(deployer, 'FeeBook', 'tune', [99n], made.get(token)),
    loses: '99 %',
    trap: 'extreme_tax',
    power: 'fee',
  },
  {
    name: 'an admin in a mapping closes it',
    make: makeMappedAdmin,
    spring: ({ act }) => act(HIDDEN_ADMIN, 'MappedAdmin', 'sync', [true]),
    trap: 'cannot_sell',
    power: 'stop_sales',
  },
  { name: 'a sale burns all gas', make: owned('BurnsGas'), trap: 'cannot_sell' },
  { name: 'plain', make: plain('Plain'), trap: null },
  { name: "OpenZeppelin's", make: plain('OpenZeppelinToken'), trap: null },
  { name: 'a fee of 3 % that is bounded', make: owned('BoundedFee'), trap: null },
  { name: 'a multisig owns it', make: makeMultisigOwned, trap: null, most: 30 },
  { name: 'as Solady has it', make: plain('SoladyLike'), trap: null },
  { name: 'contracts may not sell', make: owned('NoContracts'), trap: null },
  { name: 'no large wallets', make: owned('LargestWallet'), trap: null },
  { name: 'a proxy behind a timelock', make: makeTimelockedProxy, trap: null },
  { name: 'a fixed fee of 5 %', make: owned('FixedFee'), trap: null },
  { name: 'rebasing', make: plain('Rebasing'), trap: null },
  { name: 'renounced', make: makeRenounced, trap: null },
  { name: 'timelocked', make: makeTimelocked, trap: null },
  { name: 'a stablecoin', make: plain('Stablecoin'), trap: null, most: 30 },
  { name: 'a minimal clone', make: makeClone, trap: null },
  { name: 'it calls its receivers', make: plain('Calling'), trap: null },
  { name: 'the role of a minter was given up', make: makeRoleRenounced, trap: null, most: 15 },
  { name: 'relayers hand in what holders signed', make: plain('Relayed'), spring: relay, trap: null },
  { name: 'one trade per block', make: owned('CoolDown'), trap: null },
  { name: 'ten minutes between trades', make: owned('LongPause'), trap: null },
]
