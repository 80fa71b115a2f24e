// Contracts that trade for an account that did not sign the transaction, and log that account. Most have the same
// address on every chain, and only logs of these addresses count. Sources: eips.ethereum.org/EIPS/eip-4337 and
// github.com/eth-infinitism/account-abstraction (EntryPoint 0.6 to 0.9); github.com/cowprotocol/contracts
// (GPv2Settlement); docs.uniswap.org, UniswapX deployments; github.com/1inch/limit-order-protocol;
// github.com/0xProject/protocol (MetaTransactionsFeature); github.com/opengsn/gsn (RelayHub 1); github.com/woonetwork/WooPoolV2 (WooRouterV2).
// The first entry point, the settlement and 0x's proxy also log in recorded transactions.
import { type Address, toAddress } from '../../base/address.ts'
import { address, none, shape, topic, uint, word } from '../columns/shape.ts'
import type { ExchangeEvents, ForOthers } from './exchange.ts'

const ENTRY_POINTS = [
  '0x5ff137d4b0fdcd49dca30c7cf57e578a026d2789',
  '0x0000000071727de22e5e9d8baf0edac6f37da032',
  '0x4337084d9e255ff0702461cf8895ce9e3b5ff108',
  '0x433709009b8330fda32311df1c2afa402ed8d009',
] as const

/** The hub of GSN 1, which Polymarket's wallets still use. Later hubs differ by chain. */
const RELAY_HUBS = ['0xd216153c06e857cd7f72665e0af1d7d82172f494'] as const

const SETTLEMENTS = ['0x9008d19f58aabd9ed0d60971565aa8510560ab41'] as const

/**
 * CoW's contracts that own the orders of sellers of the native coin: such an order belongs to the receiver of its
 * tokens.
 */
export const NATIVE_SELLERS: ReadonlySet<Address> = new Set(
  ['0xba3cb449bd2b4adddbc894d8697f5170800eadec', '0x40a50cf069e992aa4536211b23f286ef88752187'].map(toAddress),
)

/** UniswapX: of Ethereum (Exclusive Dutch, V2, V3), Arbitrum (V2, V3), Base (Priority, V3) and BSC (V3). */
const REACTORS = [
  '0x6000da47483062a0d734ba3dc7576ce6a0b645c4',
  '0x00000011f84b9aa48e5f8aa8b9897600006289be',
  '0x0000000015757c461808ea25eb309638b62681cf',
  '0x1bd1aadc9e230626c44a139d7e70d842749351eb',
  '0xb274d5f4b833b61b340b654d600a864fb604a87c',
  '0x000000001ec5656dcdb24d90dfa42742738de729',
  '0x000000008a8330b5d1f43a62bf4c673a49f27ba0',
  '0x00000000a55e50c71b70db3c8b58749cd1e18eb2',
] as const

/** 1inch: the protocol of limit orders 2, and the routers 5 and 6 that hold its later versions. */
const ORDER_BOOKS = [
  '0x119c71d3bbac22029622cbaec24854d3d32d2828',
  '0x1111111254eeb25477b68fb85ed929f73a960582',
  '0x111111125421ca6dc452d289314280a0f8842a65',
] as const

/** 0x: the exchange proxy, on Optimism at an address of its own. */
const META_PROXIES = [
  '0xdef1c0ded9bec7f1a1670819833240f027b25eff',
  '0xdef1abe32c034e558cdd535791643c58a13acc10',
] as const

/** Routers that log whom they paid: WOOFi's, the same on every chain. */
const ROUTERS = ['0x4c4af8dbc524681930a27b2f1af5bcc8062e6fb7'] as const

/** The contracts of each kind. */
export const FOR_OTHERS = {
  entry_point: ENTRY_POINTS,
  relay_hub: RELAY_HUBS,
  settlement: SETTLEMENTS,
  reactor: REACTORS,
  order_book: ORDER_BOOKS,
  meta_proxy: META_PROXIES,
  router: ROUTERS,
} as const satisfies Record<ForOthers, readonly string[]>

export const isForOthers = (emitter: string): emitter is ForOthers => emitter in FOR_OTHERS

export const ATTRIBUTION_EVENTS = {
  operations_begin: ['BeforeExecution()', 'entry_point', shape('operations_begin', 1, 0, {})],
  /** GSN 1. Logged after the logs of its call; names the relay, the account, and the contract that was called. */
  gsn_relayed: [
    'TransactionRelayed(address,address,address,bytes4,uint8,uint256)',
    'relay_hub',
    shape('user_operation', 4, 3, { sender: address(topic(2)) }),
  ],
  /** Logged after the logs of its operation. */
  user_operation: [
    'UserOperationEvent(bytes32,address,address,uint256,bool,uint256,uint256)',
    'entry_point',
    shape('user_operation', 4, 4, { sender: address(topic(2)) }),
  ],
  /** Logged after the logs of its trade. Names the trade's hash, its signer, and the account that may send it. */
  meta_transaction: [
    'MetaTransactionExecuted(bytes32,bytes4,address,address)',
    'meta_proxy',
    shape('user_operation', 2, 3, { sender: address(word(1)) }),
  ],
  /** OpenZeppelin's ERC2771Forwarder; each project has its own. Logged after the logs of its request. */
  forwarded: [
    'ExecutedForwardRequest(address,uint256,bool)',
    'any',
    shape('forwarded', 2, 2, { signer: address(topic(1)) }),
  ],
  /** The order's identifier follows the amounts as bytes: offset, length 56, two words. */
  settled: [
    'Trade(address,address,address,uint256,uint256,uint256,bytes)',
    'settlement',
    shape('settled', 2, 9, {
      owner: address(topic(1)),
      sold: address(word(0)),
      bought: address(word(1)),
      soldAmount: uint(word(2)),
      boughtAmount: uint(word(3)),
    }),
  ],
  /** Names the order, its filler, and its owner. */
  uniswapx_fill: [
    'Fill(bytes32,address,address,uint256)',
    'reactor',
    shape('filled', 4, 1, { owner: address(topic(3)) }),
  ],
  oneinch_fill: [
    'OrderFilled(address,bytes32,uint256)',
    'order_book',
    shape('filled', 2, 2, { owner: address(topic(1)) }),
  ],
  woofi_route: [
    'WooRouterSwap(uint8,address,address,uint256,uint256,address,address,address)',
    'router',
    shape('routed', 4, 5, { receiver: address(topic(3)) }),
  ],
  /** Since the fourth version the log names only the order. */
  oneinch_fill_v4: ['OrderFilled(bytes32,uint256)', 'order_book', shape('filled', 1, 2, { owner: none })],
} as const satisfies ExchangeEvents
