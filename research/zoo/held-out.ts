// The held-out zoo: tokens that were written after the checks, and that no check was changed for. A further one here is
// held out as well only if no check was changed since for the others.
import type { Address } from '../../src/base/address.ts'
import { owned, plain, type ZooCase } from './cases.ts'
import { contractOf } from './stage.ts'
import { accountOf, type World } from './world.ts'

const THIEF = accountOf('thief')
const TEAM = accountOf('team')
const beacons = new Map<Address, { beacon: Address; shut: Address }>()

async function makeBeaconProxy({ deploy }: World, deployer: Address): Promise<Address> {
  const beacon = await deploy(deployer, contractOf('Beacon'), [await deploy(deployer, contractOf('BeaconLogic'))])
  const shut = await deploy(deployer, contractOf('BeaconShut'))
  const token = await deploy(deployer, contractOf('BeaconProxy'), [beacon])
  beacons.set(token, { beacon, shut })
  return token
}

export const makeThen =
  (contract: string, name: string) =>
  async (world: World, deployer: Address): Promise<Address> => {
    const token = await owned(contract)(world, deployer)
    await world.send(deployer, token, contractOf(contract).abi, name)
    return token
  }

export const HELD_OUT: readonly ZooCase[] = [
  {
    name: 'a sale must be paid for first',
    make: owned('PaidExit'),
    spring: ({ act, deployer }) => act(deployer, 'PaidExit', 'setClaimMode', [true]),
    trap: 'cannot_sell',
    power: 'stop_sales',
  },
  { name: 'the tax grows each day', make: owned('GrowingTax'), loses: '97 %', trap: 'extreme_tax' },
  {
    name: 'a sale moves nothing',
    make: owned('EmptySale'),
    spring: ({ act, deployer }) => act(deployer, 'EmptySale', 'optimize', [true]),
    trap: 'cannot_sell',
    power: 'stop_sales',
  },
  {
    name: 'a new router spends what others hold',
    make: owned('TrustedRouter'),
    async spring({ world, act, deployer, buyers, token }) {
      await world.fund(THIEF)
      await act(deployer, 'TrustedRouter', 'setRouter', [THIEF])
      await world.mine()
      for (const buyer of buyers.slice(0, 7))
        await act(THIEF, 'TrustedRouter', 'transferFrom', await all(world, token, buyer))
    },
    trap: 'taken_without_approval',
    power: 'take',
  },
  {
    name: 'a transfer of nothing mints',
    make: owned('MintsByTransfer'),
    loses: '99 %',
    spring: ({ act, deployer }) => act(deployer, 'MintsByTransfer', 'transfer', [deployer, 0n]),
    trap: 'late_mint',
    power: 'mint',
  },
  {
    name: 'an approval is one for the deployer',
    make: owned('SharedApproval'),
    async spring({ world, act, deployer, buyers, token }) {
      for (const buyer of buyers.slice(0, 7))
        await act(deployer, 'SharedApproval', 'transferFrom', await all(world, token, buyer, deployer))
    },
    trap: 'taken_without_approval',
    power: 'take',
  },
  {
    name: 'a cooldown becomes ten years',
    make: owned('LongCooldown'),
    spring: ({ act, deployer }) => act(deployer, 'LongCooldown', 'setCooldown', [315_360_000n]),
    trap: 'cannot_sell',
    power: 'limits',
  },
  {
    name: 'a sale has a least amount',
    make: owned('LeastSale'),
    spring: ({ act, deployer }) => act(deployer, 'LeastSale', 'setMinSell', [10n ** 27n]),
    trap: 'cannot_sell',
    power: 'limits',
  },
  {
    name: 'the owner burns what the pool holds',
    make: owned('PoolBurner'),
    spring: ({ act, deployer }) => act(deployer, 'PoolBurner', 'recycle', [1_000n]),
    trap: 'confiscating_power',
    power: 'destroy',
  },
  {
    name: 'the last phase is for the listed',
    make: owned('Phases'),
    spring: ({ act, deployer }) => act(deployer, 'Phases', 'setPhase', [3]),
    trap: 'cannot_sell',
    power: 'stop_sales',
  },
  {
    name: 'a beacon is switched',
    make: makeBeaconProxy,
    async spring({ act, deployer, token }) {
      const { beacon, shut } = beacons.get(token) ?? { beacon: token, shut: token }
      await act(deployer, 'Beacon', 'upgradeTo', [shut], beacon)
    },
    trap: 'cannot_sell',
    power: 'upgrade',
  },
  { name: 'sales are counted', make: owned('CountedSales'), trap: 'cannot_sell' },
  { name: 'votes and permits', make: plain('VotesToken'), trap: null },
  { name: 'trading was opened once', make: makeThen('OpenedOnce', 'openTrading'), trap: null },
  { name: 'transfers burn a hundredth', make: plain('BurningTransfer'), trap: null },
  { name: 'minting has ended', make: makeThen('FinishedMint', 'finishMinting'), trap: null },
  { name: 'a share of trades for all holders', make: plain('Reflection'), trap: null },
  { name: 'a locked team', make: owned('LockedTeam', TEAM), trap: null },
]

const all = async (world: World, token: Address, from: Address, to: Address = THIEF) => [
  from,
  to,
  await world.ask<bigint>(token, 'function balanceOf(address) view returns (uint256)', from),
]
