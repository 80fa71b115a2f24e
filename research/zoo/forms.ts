// The zoo of forms: tokens in other languages than Solidity, and tokens whose code stands elsewhere. Each form has an
// honest token and a trap.
import { type Abi, encodeFunctionData, type Hex, parseAbi, toFunctionSelector } from 'viem'
import type { Address } from '../../src/base/address.ts'
import { FORMS, type Form, type Trick, tokenOf } from './assembled.ts'
import { assemble, toCreation } from './assembly.ts'
import { plain, type ZooCase } from './cases.ts'
import { contractOf, type Make, type Stage } from './stage.ts'
import { accountOf, ether, type World } from './world.ts'

const KEEPER = accountOf('keeper of forms')
const shut = new Map<Address, Address>()

const inForm =
  (form: Form, trick: Trick = null): Make =>
  ({ deploy }, deployer) =>
    deploy(deployer, { abi: [], creation: tokenOf(form, trick) })

const call =
  (signature: string, ...args: unknown[]) =>
  ({ world, token, deployer }: Stage) =>
    world.sendData(deployer, token, dataOf(signature, args))

function dataOf(signature: string, args: readonly unknown[]): Hex {
  const inputs = signature.slice(signature.indexOf('(') + 1, -1).split(',')
  const name = signature.slice(0, signature.indexOf('('))
  const abi = [
    { type: 'function', name, outputs: [], stateMutability: 'nonpayable', inputs: inputs.map((type) => ({ type })) },
  ] as Abi
  return encodeFunctionData({ abi, functionName: name, args: [...args] })
}

const mark = async ({ world, token, deployer, buyers }: Stage): Promise<void> => {
  for (const buyer of buyers) await world.sendData(deployer, token, dataOf('mark(address,bool)', [buyer, true]))
}

const selectorsOf = (contract: string): Hex[] =>
  contractOf(contract).abi.flatMap((each) => (each.type === 'function' ? [toFunctionSelector(each)] : []))

const diamondOf =
  (...names: string[]): Make =>
  async ({ deploy }, deployer) => {
    const facets: Address[] = []
    for (const name of names) facets.push(await deploy(deployer, contractOf(name)))
    const token = await deploy(deployer, contractOf('Diamond'), [facets, names.map(selectorsOf)])
    shut.set(token, await deploy(deployer, contractOf('ShutFacet')))
    return token
  }

/** Replaces the facet of transfers. */
const cut = ({ act, deployer, token }: Stage): Promise<void> => {
  const moving = ['transfer(address,uint256)', 'transferFrom(address,address,uint256)']
  const selectors = moving.map((each) => toFunctionSelector(`function ${each}`))
  return act(deployer, 'CutFacet', 'diamondCut', [[[shut.get(token), 1, selectors]], KEEPER, '0x'])
}

const KEEPER_WORD = KEEPER.slice(2).padStart(64, '0')
/** EIP-1167, with words behind it. */
const withArguments = (logic: Address): Hex =>
  toCreation('', `0x363d3d373d3d3d363d73${logic.slice(2)}5af43d82803e903d91602b57fd5bf3${KEEPER_WORD}`)
/** Each call gets the words behind its data. */
const appending = (logic: Address): Hex =>
  toCreation(
    '',
    assemble(`CALLDATASIZE 0x00 0x00 CALLDATACOPY 0x20 @words CALLDATASIZE CODECOPY 0x00 0x00 0x20 CALLDATASIZE ADD 0x00
      #73${logic.slice(2)} GAS DELEGATECALL RETURNDATASIZE 0x00 0x00 RETURNDATACOPY @done JUMPI
      RETURNDATASIZE 0x00 REVERT :done RETURNDATASIZE 0x00 RETURN .words #${KEEPER_WORD}`),
  )

const cloneOf =
  (contract: string, toCode: (logic: Address) => Hex): Make =>
  async (world: World, deployer: Address) => {
    const logic = await world.deploy(deployer, contractOf(contract))
    const token = await world.deploy(deployer, { abi: [], creation: toCode(logic) })
    await world.send(deployer, token, contractOf('ArgumentLogic').abi, 'set')
    return token
  }

const accrue = async ({ world, act, token }: Stage, by: Address): Promise<void> => {
  await world.fund(by)
  await act(by, 'RewardFacet', 'accrue', [ether(100_000_000_000)], token)
}

/** The deployer admits another account, and leaves. */
const withWard =
  (contract: string): Make =>
  async (world, deployer) => {
    const token = await plain(contract)(world, deployer)
    await world.mine()
    await world.send(deployer, token, contractOf(contract).abi, 'rely', [KEEPER])
    await world.mine()
    return token
  }

/** Another account than the creation names becomes the ward, and mints a little. */
async function silentWard(world: World, deployer: Address): Promise<Address> {
  await world.fund(KEEPER)
  const { abi } = contractOf('SilentWards')
  const token = await world.deploy(deployer, contractOf('SilentWards'), [deployer])
  await world.mine()
  await world.send(deployer, token, abi as Abi, 'pass', [KEEPER])
  await world.send(KEEPER, token, abi as Abi, 'accrue', [1n])
  await world.mine()
  return token
}

const APPROVE = parseAbi(['function approve(address,uint256)']) as Abi

/** Buyers approve a router of the deployer's, which then does something with all that they have. */
const approveAnd =
  (act: (stage: Stage, router: Address) => Promise<void>) =>
  async (stage: Stage): Promise<void> => {
    const { world, deployer, buyers, token } = stage
    const router = await world.deploy(deployer, contractOf('OwnRouter'))
    for (const buyer of buyers) await world.send(buyer, token, APPROVE, 'approve', [router, ether(1e12)])
    await world.mine()
    await act(stage, router)
  }
const robbed = ({ buyers }: Stage): readonly Address[] => buyers.slice(0, 7)

/** Routers of others that holders approve. */
export const ROUTER_CASES: readonly ZooCase[] = [
  {
    name: 'its own router pulls from who approved it',
    make: plain('Plain'),
    spring: approveAnd((stage, router) =>
      stage.act(stage.deployer, 'OwnRouter', 'migrate', [stage.token, robbed(stage)], router),
    ),
    trap: 'taken_without_approval',
  },
  {
    name: 'a keeper fills the orders of holders',
    make: plain('Plain'),
    spring: approveAnd(async ({ act, deployer, token, pool, buyers }, router) => {
      for (const buyer of buyers.slice(0, 4))
        await act(deployer, 'OwnRouter', 'fill', [token, pool.address, buyer], router)
    }),
    trap: null,
  },
  {
    name: 'a fee is collected from who agreed',
    make: plain('Plain'),
    spring: approveAnd((stage, router) =>
      stage.act(stage.deployer, 'OwnRouter', 'collect', [stage.token, robbed(stage)], router),
    ),
    trap: null,
  },
]

export const FORM_CASES: readonly ZooCase[] = [
  { name: 'Vyper, sparse buckets: plain', make: inForm(FORMS.vyperSparse), trap: null },
  {
    name: 'Vyper, sparse buckets: its owner closes it',
    make: inForm(FORMS.vyperSparse, 'setStatus(bool)'),
    spring: call('setStatus(bool)', true),
    trap: 'cannot_sell',
    power: 'stop_sales',
  },
  { name: 'Vyper, dense table: plain', make: inForm(FORMS.vyperDense), trap: null },
  {
    name: 'Vyper, dense table: an innocent name mints',
    make: inForm(FORMS.vyperDense, 'settle(uint256)'),
    loses: '99 %',
    trap: 'hidden_power',
    power: 'mint',
  },
  {
    name: 'Vyper, dense table: buyers are marked',
    make: inForm(FORMS.vyperDense, 'mark(address,bool)'),
    spring: mark,
    trap: 'cannot_sell',
    power: 'blacklist',
  },
  { name: 'Huff, jump table: plain', make: inForm(FORMS.huff), trap: null },
  {
    name: 'Huff, jump table: buyers are marked',
    make: inForm(FORMS.huff, 'mark(address,bool)'),
    spring: mark,
    trap: 'cannot_sell',
    power: 'blacklist',
  },
  { name: 'Solady, hashed slots: plain', make: inForm(FORMS.solady), trap: null },
  {
    name: 'Solady, hashed slots: an innocent name mints',
    make: inForm(FORMS.solady, 'settle(uint256)'),
    loses: '99 %',
    trap: 'hidden_power',
    power: 'mint',
  },
  { name: 'a diamond that nobody cuts', make: diamondOf('TokenFacet', 'LoupeFacet'), trap: null },
  {
    name: 'a diamond that its owner cuts',
    make: diamondOf('TokenFacet', 'LoupeFacet', 'CutFacet'),
    spring: cut,
    trap: 'cannot_sell',
    power: 'upgrade',
  },
  {
    name: 'a diamond with an innocent facet',
    make: diamondOf('TokenFacet', 'LoupeFacet', 'RewardFacet'),
    loses: '99 %',
    trap: 'hidden_power',
    power: 'mint',
  },
  { name: 'a diamond without a loupe that nobody cuts', make: diamondOf('TokenFacet'), trap: null },
  {
    name: 'a diamond without a loupe that its owner cuts',
    make: diamondOf('TokenFacet', 'CutFacet'),
    spring: cut,
    trap: 'cannot_sell',
    power: 'upgrade',
  },
  { name: 'a clone with words behind it', make: cloneOf('ArgumentLogic', withArguments), trap: null },
  {
    name: 'a clone with words behind it: a keeper mints',
    make: cloneOf('ArgumentTrap', withArguments),
    spring: (stage) => accrue(stage, KEEPER),
    loses: '99 %',
    trap: 'hidden_power',
    power: 'mint',
  },
  { name: 'a clone that appends words', make: cloneOf('ArgumentLogic', appending), trap: null },
  {
    name: 'a clone that appends words: a keeper mints',
    make: cloneOf('ArgumentTrap', appending),
    spring: (stage) => accrue(stage, KEEPER),
    loses: '99 %',
    trap: 'hidden_power',
    power: 'mint',
  },
  {
    name: 'nothing but a mint tells who mints',
    make: silentWard,
    loses: '99 %',
    trap: 'hidden_power',
    power: 'mint',
  },
  { name: 'it asks a precompile', make: plain('AsksPrecompile'), trap: null },
  { name: 'wards that bind nobody', make: withWard('WardsHonest'), trap: null },
  {
    name: 'a ward that came later mints',
    make: async (world, deployer) => {
      const token = await withWard('WardsTrap')(world, deployer)
      await world.send(deployer, token, contractOf('WardsTrap').abi, 'deny', [deployer])
      await world.mine()
      return token
    },
    loses: '99 %',
    trap: 'hidden_power',
    power: 'mint',
  },
]
