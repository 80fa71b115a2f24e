// The contracts that tests deploy: the real WETH9 and Uniswap from their npm packages, and our test tokens and lockers.
// Input: a name. Output: ABI and creation code.
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Abi, Hex } from 'viem'

interface Artifact {
  abi: Abi
  bytecode: Hex
}

const require = createRequire(import.meta.url)

function load(path: string): Artifact {
  const { abi, bytecode } = require(path) as { abi: Abi; bytecode: string }
  return { abi, bytecode: (bytecode.startsWith('0x') ? bytecode : `0x${bytecode}`) as Hex }
}

/** Forge's artifacts have the code one level deeper. */
function loadForge(path: string): Artifact {
  const { abi, bytecode } = require(path) as { abi: Abi; bytecode: { object: Hex } }
  return { abi, bytecode: bytecode.object }
}

const readFixture = (name: string) =>
  JSON.parse(readFileSync(new URL(`../../fixtures/${name}.json`, import.meta.url), 'utf8')) as Record<string, Artifact>

const tokens = readFixture('tokens')
const traps = readFixture('traps')
const lockers = readFixture('lockers')
const exchanges = readFixture('exchanges')
const payments = readFixture('payments')

export const artifacts = {
  weth: load('canonical-weth/build/contracts/WETH9.json'),
  v2Factory: load('@uniswap/v2-core/build/UniswapV2Factory.json'),
  v2Pair: load('@uniswap/v2-core/build/UniswapV2Pair.json'),
  v2Router: load('@uniswap/v2-periphery/build/UniswapV2Router02.json'),
  v3Factory: load('@uniswap/v3-core/artifacts/contracts/UniswapV3Factory.sol/UniswapV3Factory.json'),
  v3Pool: load('@uniswap/v3-core/artifacts/contracts/UniswapV3Pool.sol/UniswapV3Pool.json'),
  v3Router: load('@uniswap/v3-periphery/artifacts/contracts/SwapRouter.sol/SwapRouter.json'),
  v3Positions: load(
    '@uniswap/v3-periphery/artifacts/contracts/NonfungiblePositionManager.sol/NonfungiblePositionManager.json',
  ),
  /** Read when it is asked for: the file is large. */
  get v4Manager() {
    return loadForge('@uniswap/v4-core/out/PoolManager.sol/PoolManager.json')
  },
  managerRouter: exchanges.ManagerRouter!,
  managerPositions: exchanges.ManagerPositions!,
  smartAccount: exchanges.SmartAccount!,
  entryPoint: exchanges.EntryPoint!,
  broker: exchanges.Broker!,
  feeHook: exchanges.FeeHook!,
  shareHook: exchanges.ShareHook!,
  curveHook: exchanges.CurveHook!,
  launchCurve: exchanges.LaunchCurve!,
  inputFeeHook: exchanges.InputFeeHook!,
  keepingHook: exchanges.KeepingHook!,
  positionLocker: exchanges.PositionLocker!,
  launchers: exchanges.Launchers!,
  rangeVault: exchanges.RangeVault!,
  plainToken: tokens.PlainToken!,
  faucetToken: tokens.FaucetToken!,
  feeToken: tokens.FeeToken!,
  bytes32Token: tokens.Bytes32Token!,
  muteToken: tokens.MuteToken!,
  gateToken: traps.GateToken!,
  risingFeeToken: traps.RisingFeeToken!,
  graspingToken: traps.GraspingToken!,
  emptiedToken: traps.EmptiedToken!,
  pausableToken: traps.PausableToken!,
  mintableToken: traps.MintableToken!,
  plainLocker: lockers.PlainLocker!,
  numberedLocker: lockers.NumberedLocker!,
  signedDollar: payments.SignedDollar!,
  batch: payments.Batch!,
} satisfies Record<string, Artifact>

export type ArtifactName = keyof typeof artifacts
