// SPDX-License-Identifier: MIT
// What tests trade with besides Uniswap's own contracts, with the logs of real ones. Compiled by ../compile.ts into
// test/fixtures/exchanges.json, which is committed.
pragma solidity 0.8.28;

import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";
import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";

struct PoolKey {
    address currency0;
    address currency1;
    uint24 fee;
    int24 tickSpacing;
    address hooks;
}

struct ModifyLiquidityParams {
    int24 tickLower;
    int24 tickUpper;
    int256 liquidityDelta;
    bytes32 salt;
}

struct SwapParams {
    bool zeroForOne;
    int256 amountSpecified;
    uint160 sqrtPriceLimitX96;
}

/// Uniswap V4's PoolManager, as far as it is used here.
interface IManager {
    function unlock(bytes calldata data) external returns (bytes memory);
    function modifyLiquidity(PoolKey memory key, ModifyLiquidityParams memory params, bytes calldata hookData)
        external
        returns (int256 delta, int256 fees);
    function swap(PoolKey memory key, SwapParams memory params, bytes calldata hookData) external returns (int256);
    function sync(address currency) external;
    function take(address currency, address to, uint256 amount) external;
    function mint(address to, uint256 id, uint256 amount) external;
    function settle() external payable returns (uint256);
}

/// Pays the manager what a change cost, and takes what it gave.
abstract contract Desk {
    IManager internal immutable manager;

    constructor(IManager manager_) {
        manager = manager_;
    }

    receive() external payable {}

    function clear(PoolKey memory key, int256 delta, address payer, address to) internal {
        clearOne(key.currency0, int128(delta >> 128), payer, to);
        clearOne(key.currency1, int128(delta), payer, to);
    }

    function clearOne(address currency, int128 amount, address payer, address to) private {
        if (amount > 0) manager.take(currency, to, uint128(amount));
        if (amount >= 0) return;
        uint256 owed = uint128(-amount);
        if (currency == address(0)) {
            manager.settle{value: owed}();
            return;
        }
        manager.sync(currency);
        IERC20(currency).transferFrom(payer, address(manager), owed);
        manager.settle();
    }

    function giveBack() internal {
        if (address(this).balance > 0) payable(msg.sender).transfer(address(this).balance);
    }
}

/// Swaps an exact input in one pool of the manager.
contract ManagerRouter is Desk {
    constructor(IManager manager_) Desk(manager_) {}

    function swap(PoolKey calldata key, bool zeroForOne, uint256 amountIn, address to) external payable {
        manager.unlock(abi.encode(key, zeroForOne, amountIn, msg.sender, to));
        giveBack();
    }

    function unlockCallback(bytes calldata data) external returns (bytes memory) {
        require(msg.sender == address(manager));
        (PoolKey memory key, bool zeroForOne, uint256 amountIn, address payer, address to) =
            abi.decode(data, (PoolKey, bool, uint256, address, address));
        uint160 limit = zeroForOne ? 4295128740 : 1461446703485210103287273052203988822378723970341;
        clear(key, manager.swap(key, SwapParams(zeroForOne, -int256(amountIn), limit), ""), payer, to);
        return "";
    }
}

/// Positions of the manager's pools as ERC-721 tokens, in the order of logs of Uniswap's own: a token moves before its liquidity does.
contract ManagerPositions is Desk {
    event Transfer(address indexed from, address indexed to, uint256 indexed id);

    struct Position {
        PoolKey key;
        int24 tickLower;
        int24 tickUpper;
        uint256 liquidity;
    }

    mapping(uint256 => address) public ownerOf;
    mapping(bytes25 => PoolKey) public poolKeys;
    mapping(uint256 => Position) internal positions;
    uint256 public nextTokenId = 1;

    constructor(IManager manager_) Desk(manager_) {}

    function mint(PoolKey calldata key, int24 tickLower, int24 tickUpper, uint256 liquidity, address owner)
        external
        payable
        returns (uint256 id)
    {
        id = nextTokenId++;
        ownerOf[id] = owner;
        positions[id] = Position(key, tickLower, tickUpper, 0);
        poolKeys[bytes25(keccak256(abi.encode(key)))] = key;
        emit Transfer(address(0), owner, id);
        change(id, int256(liquidity));
    }

    function increase(uint256 id, uint256 liquidity) external payable {
        change(id, int256(liquidity));
    }

    function decrease(uint256 id, uint256 liquidity) external {
        require(ownerOf[id] == msg.sender);
        change(id, -int256(liquidity));
    }

    function burn(uint256 id) external {
        require(ownerOf[id] == msg.sender);
        ownerOf[id] = address(0);
        emit Transfer(msg.sender, address(0), id);
        change(id, -int256(positions[id].liquidity));
    }

    function transferFrom(address from, address to, uint256 id) external {
        require(ownerOf[id] == from && msg.sender == from);
        ownerOf[id] = to;
        emit Transfer(from, to, id);
    }

    function poolOf(uint256 id) external view returns (bytes32) {
        return keccak256(abi.encode(positions[id].key));
    }

    function liquidityOf(uint256 id) external view returns (uint256) {
        return positions[id].liquidity;
    }

    function change(uint256 id, int256 liquidity) private {
        positions[id].liquidity = uint256(int256(positions[id].liquidity) + liquidity);
        manager.unlock(abi.encode(id, liquidity, msg.sender));
        giveBack();
    }

    function unlockCallback(bytes calldata data) external returns (bytes memory) {
        require(msg.sender == address(manager));
        (uint256 id, int256 liquidity, address caller) = abi.decode(data, (uint256, int256, address));
        Position memory it = positions[id];
        ModifyLiquidityParams memory params =
            ModifyLiquidityParams(it.tickLower, it.tickUpper, liquidity, bytes32(id));
        (int256 delta,) = manager.modifyLiquidity(it.key, params, "");
        clear(it.key, delta, caller, caller);
        return "";
    }
}

/// A wallet that is a contract: it does what an entry point, or its owner, asks it to.
contract SmartAccount {
    address private immutable owner;
    address private immutable entryPoint;

    constructor(address owner_, address entryPoint_) {
        owner = owner_;
        entryPoint = entryPoint_;
    }

    receive() external payable {}

    function execute(address to, uint256 value, bytes calldata data) external {
        require(msg.sender == owner || msg.sender == entryPoint);
        (bool isDone,) = to.call{value: value}(data);
        require(isDone);
    }
}

/// Runs operations of smart accounts that a bundler sends. Logs as the entry points of ERC-4337.
contract EntryPoint {
    event UserOperationEvent(
        bytes32 indexed userOpHash,
        address indexed sender,
        address indexed paymaster,
        uint256 nonce,
        bool success,
        uint256 actualGasCost,
        uint256 actualGasUsed
    );

    struct Operation {
        SmartAccount sender;
        address to;
        uint256 value;
        bytes data;
    }

    uint256 private count;

    function handleOps(Operation[] calldata operations) external {
        for (uint256 i = 0; i < operations.length; i++) {
            Operation calldata it = operations[i];
            it.sender.execute(it.to, it.value, it.data);
            bytes32 hash = keccak256(abi.encode(address(this), ++count));
            emit UserOperationEvent(hash, address(it.sender), address(0), count, true, 0, 0);
        }
    }
}

/// Trades for others: for whoever approved it, or whoever called it.
contract Broker {
    event Trade(
        address indexed owner,
        address sellToken,
        address buyToken,
        uint256 sellAmount,
        uint256 buyAmount,
        uint256 feeAmount,
        bytes orderUid
    );

    struct Way {
        address router;
        uint256 amount;
        bytes data;
    }

    /// A settlement: a solver trades for an owner, who gets what was promised. Logs as CoW's.
    function settle(address owner, IERC20 sold, IERC20 bought, uint256 amount, uint256 promised, Way[] calldata ways)
        external
    {
        emit Trade(owner, address(sold), address(bought), amount, promised, 0, abi.encodePacked(bytes32(0), owner, uint32(0)));
        sold.transferFrom(owner, address(this), amount);
        go(sold, ways);
        bought.transfer(owner, promised);
    }

    /// A relayer signs for an owner, to whom the ways pay.
    function relay(address owner, IERC20 sold, uint256 amount, Way[] calldata ways) external {
        sold.transferFrom(owner, address(this), amount);
        go(sold, ways);
    }

    /// An aggregator: the caller's tokens go several ways.
    function split(IERC20 sold, uint256 amount, Way[] calldata ways) external {
        sold.transferFrom(msg.sender, address(this), amount);
        go(sold, ways);
    }

    function go(IERC20 sold, Way[] calldata ways) private {
        for (uint256 i = 0; i < ways.length; i++) {
            sold.approve(ways[i].router, ways[i].amount);
            (bool isDone,) = ways[i].router.call(ways[i].data);
            require(isDone);
        }
    }
}

/// What hooks of the manager's pools share. Each stands at an address whose lowest bits say what it may do.
abstract contract Hook {
    IManager internal immutable manager;

    constructor(IManager manager_) {
        manager = manager_;
    }

    receive() external payable {}
}

/// Sets the fee of each swap: a sale costs more than a purchase. Currency 0 is what the token is quoted in.
contract FeeHook is Hook {
    uint24 private constant INSTEAD = 0x400000;

    constructor(IManager manager_) Hook(manager_) {}

    function beforeSwap(address, PoolKey calldata, SwapParams calldata params, bytes calldata)
        external
        view
        returns (bytes4, int256, uint24)
    {
        require(msg.sender == address(manager));
        return (this.beforeSwap.selector, 0, (params.zeroForOne ? 3000 : 9000) | INSTEAD);
    }
}

/// Keeps one percent of what a swap pays out.
contract ShareHook is Hook {
    constructor(IManager manager_) Hook(manager_) {}

    function afterSwap(address, PoolKey calldata key, SwapParams calldata params, int256 delta, bytes calldata)
        external
        returns (bytes4, int128)
    {
        require(msg.sender == address(manager));
        int128 paid = params.zeroForOne ? int128(delta) : int128(delta >> 128);
        int128 share = paid / 100;
        manager.take(params.zeroForOne ? key.currency1 : key.currency0, address(this), uint128(share));
        return (this.afterSwap.selector, share);
    }
}

/// Fills half of each swap from what it holds itself, by a constant product; the pool fills the rest.
contract CurveHook is Hook {
    constructor(IManager manager_) Hook(manager_) {}

    function beforeSwap(address, PoolKey calldata key, SwapParams calldata params, bytes calldata)
        external
        returns (bytes4, int256, uint24)
    {
        require(msg.sender == address(manager) && params.amountSpecified < 0);
        (address paid, address given) =
            params.zeroForOne ? (key.currency0, key.currency1) : (key.currency1, key.currency0);
        uint256 amount = uint256(-params.amountSpecified) / 2;
        uint256 out = held(given) * amount / (held(paid) + amount);
        manager.take(paid, address(this), amount);
        if (given == address(0)) {
            manager.settle{value: out}();
        } else {
            manager.sync(given);
            IERC20(given).transfer(address(manager), out);
            manager.settle();
        }
        return (this.beforeSwap.selector, (int256(amount) << 128) | int256(uint256(uint128(-int128(int256(out))))), 0);
    }

    function held(address currency) private view returns (uint256) {
        return currency == address(0) ? address(this).balance : IERC20(currency).balanceOf(address(this));
    }
}

interface IRouter {
    function addLiquidityETH(address token, uint256 amount, uint256 least, uint256 leastEth, address to, uint256 deadline)
        external
        payable;
}

/// A token that a launch venue makes, and sells.
contract CurveToken is ERC20 {
    constructor(string memory name_, string memory symbol_, uint256 supply) ERC20(name_, symbol_) {
        _mint(msg.sender, supply);
    }
}

/// A launch venue: it sells four fifths of each token along a constant product whose reserves are virtual at first, and then adds the last fifth
/// and what was raised to an exchange, for good. Logs as Four.meme's second manager, and answers as its helper.
contract LaunchCurve {
    event TokenCreate(
        address creator,
        address token,
        uint256 requestId,
        string name,
        string symbol,
        uint256 totalSupply,
        uint256 launchTime,
        uint256 launchFee
    );
    event TokenPurchase(
        address token,
        address account,
        uint256 price,
        uint256 amount,
        uint256 cost,
        uint256 fee,
        uint256 offers,
        uint256 funds
    );
    event TokenSale(
        address token,
        address account,
        uint256 price,
        uint256 amount,
        uint256 cost,
        uint256 fee,
        uint256 offers,
        uint256 funds
    );
    event LiquidityAdded(address base, uint256 offers, address quote, uint256 funds);

    uint256 private constant SUPPLY = 1e27;
    uint256 private constant OFFERED = 8e26;
    /// Of the virtual reserves: tokens that are never sold, and coins that nobody paid.
    uint256 private constant UNSOLD = SUPPLY * 4 / 15;
    uint256 private constant UNPAID = 8 ether;
    uint256 private constant PRODUCT = (OFFERED + UNSOLD) * UNPAID;

    struct Sale {
        uint256 offers;
        uint256 funds;
        bool isOpen;
    }

    IRouter private immutable router;
    mapping(address => Sale) public sales;
    uint256 private count;

    constructor(IRouter router_) {
        router = router_;
    }

    function create(string calldata name, string calldata symbol) external {
        address token = address(new CurveToken(name, symbol, SUPPLY));
        sales[token] = Sale(OFFERED, 0, true);
        emit TokenCreate(msg.sender, token, ++count, name, symbol, SUPPLY, block.timestamp, 0);
    }

    function buy(address token) external payable {
        Sale storage it = sales[token];
        require(it.isOpen);
        uint256 needed = PRODUCT / UNSOLD - UNPAID - it.funds;
        uint256 cost = msg.value < needed ? msg.value : needed;
        uint256 left = cost == needed ? 0 : PRODUCT / (UNPAID + it.funds + cost) + 1 - UNSOLD;
        uint256 amount = it.offers - left;
        it.offers = left;
        it.funds += cost;
        IERC20(token).transfer(msg.sender, amount);
        emit TokenPurchase(token, msg.sender, priceOf(it), amount, cost, 0, left, it.funds);
        if (left == 0) graduate(token, it);
        if (msg.value > cost) payable(msg.sender).transfer(msg.value - cost);
    }

    function sell(address token, uint256 amount) external {
        Sale storage it = sales[token];
        require(it.isOpen);
        IERC20(token).transferFrom(msg.sender, address(this), amount);
        it.offers += amount;
        uint256 funds = PRODUCT / (UNSOLD + it.offers) + 1 - UNPAID;
        uint256 cost = funds < it.funds ? it.funds - funds : 0;
        it.funds -= cost;
        emit TokenSale(token, msg.sender, priceOf(it), amount, cost, 0, it.offers, it.funds);
        payable(msg.sender).transfer(cost);
    }

    /// As TokenManagerHelper3: version, manager, quote, last price, fee rate, least fee, launch time, offers, most offers, funds, most funds, added.
    function getTokenInfo(address token)
        external
        view
        returns (
            uint256,
            address,
            address,
            uint256,
            uint256,
            uint256,
            uint256,
            uint256,
            uint256,
            uint256,
            uint256,
            bool
        )
    {
        Sale storage it = sales[token];
        return (2, address(this), address(0), priceOf(it), 0, 0, 0, it.offers, OFFERED, it.funds, 24 ether, !it.isOpen);
    }

    function graduate(address token, Sale storage it) private {
        it.isOpen = false;
        uint256 rest = SUPPLY - OFFERED;
        IERC20(token).approve(address(router), rest);
        router.addLiquidityETH{value: it.funds}(token, rest, 0, 0, address(0xdead), block.timestamp);
        emit LiquidityAdded(token, rest, address(0), it.funds);
    }

    /// Of a whole token in coins, with 18 places.
    function priceOf(Sale storage it) private view returns (uint256) {
        return (UNPAID + it.funds) * 1e18 / (UNSOLD + it.offers);
    }
}

/// Takes one percent of what a swap pays in, before the rest is swapped in the pool. As Clanker's hooks do.
contract InputFeeHook is Hook {
    constructor(IManager manager_) Hook(manager_) {}

    function beforeSwap(address, PoolKey calldata key, SwapParams calldata params, bytes calldata)
        external
        returns (bytes4, int256, uint24)
    {
        require(msg.sender == address(manager) && params.amountSpecified < 0);
        uint256 fee = uint256(-params.amountSpecified) / 100;
        manager.mint(address(this), uint256(uint160(params.zeroForOne ? key.currency0 : key.currency1)), fee);
        return (this.beforeSwap.selector, int256(fee) << 128, 0);
    }
}

/// Holds all liquidity of the pools whose hook it is, and has no function that gives any back. As Zora's.
contract KeepingHook is Desk {
    constructor(IManager manager_) Desk(manager_) {}

    function place(PoolKey calldata key, int24 tickLower, int24 tickUpper, uint256 liquidity) external {
        manager.unlock(abi.encode(key, ModifyLiquidityParams(tickLower, tickUpper, int256(liquidity), 0), msg.sender));
    }

    function unlockCallback(bytes calldata data) external returns (bytes memory) {
        require(msg.sender == address(manager));
        (PoolKey memory key, ModifyLiquidityParams memory params, address payer) =
            abi.decode(data, (PoolKey, ModifyLiquidityParams, address));
        (int256 delta,) = manager.modifyLiquidity(key, params, "");
        clear(key, delta, payer, payer);
        return "";
    }

    function afterSwap(address, PoolKey calldata, SwapParams calldata, int256, bytes calldata)
        external
        view
        returns (bytes4, int128)
    {
        require(msg.sender == address(manager));
        return (this.afterSwap.selector, 0);
    }
}

/// Holds positions, and has no function that gives one back. As Clanker's.
contract PositionLocker {
    function place(ManagerPositions positions, PoolKey calldata key, int24 tickLower, int24 tickUpper, uint256 liquidity)
        external
    {
        IERC20(key.currency1).approve(address(positions), type(uint256).max);
        positions.mint(key, tickLower, tickUpper, liquidity, address(this));
    }
}

interface IOpener {
    function initialize(PoolKey memory key, uint160 sqrtPriceX96) external returns (int24);
}

/// Launch venues that open a token's pool at the manager, with all of its supply on one side.
contract Launchers {
    /// Clanker's fourth factory.
    event TokenCreated(
        address msgSender,
        address indexed tokenAddress,
        address indexed tokenAdmin,
        string tokenImage,
        string tokenName,
        string tokenSymbol,
        string tokenMetadata,
        string tokenContext,
        int24 startingTick,
        address poolHook,
        bytes32 poolId,
        address pairedToken,
        address locker,
        address mevModule,
        uint256 extensionsSupply,
        address[] extensions
    );
    /// Zora's.
    event CoinCreatedV4(
        address indexed caller,
        address indexed payoutRecipient,
        address indexed platformReferrer,
        address currency,
        string uri,
        string name,
        string symbol,
        address coin,
        PoolKey poolKey,
        bytes32 poolKeyHash,
        string version
    );

    uint256 private constant SUPPLY = 1e27;

    struct Plan {
        string name;
        string symbol;
        address creator;
        address hook;
        uint160 root;
        int24 tick;
        int24 tickLower;
        int24 tickUpper;
        uint256 liquidity;
    }

    IOpener private immutable manager;
    ManagerPositions private immutable positions;

    constructor(IOpener manager_, ManagerPositions positions_) {
        manager = manager_;
        positions = positions_;
    }

    function launch(Plan calldata it, PositionLocker locker) external {
        PoolKey memory key = open(it);
        IERC20(key.currency1).transfer(address(locker), SUPPLY);
        locker.place(positions, key, it.tickLower, it.tickUpper, it.liquidity);
        emit TokenCreated(
            msg.sender, key.currency1, it.creator, "", it.name, it.symbol, "", "", it.tick, it.hook,
            keccak256(abi.encode(key)), address(0), address(locker), address(0), 0, new address[](0)
        );
    }

    function coin(Plan calldata it) external {
        PoolKey memory key = open(it);
        IERC20(key.currency1).approve(it.hook, SUPPLY);
        KeepingHook(payable(it.hook)).place(key, it.tickLower, it.tickUpper, it.liquidity);
        emit CoinCreatedV4(
            msg.sender, it.creator, address(0), address(0), "", it.name, it.symbol, key.currency1, key,
            keccak256(abi.encode(key)), "1"
        );
    }

    function open(Plan calldata it) private returns (PoolKey memory key) {
        key = PoolKey(address(0), address(new CurveToken(it.name, it.symbol, SUPPLY)), 10000, 200, it.hook);
        manager.initialize(key, it.root);
    }
}

interface IRangePool {
    function token0() external view returns (address);
    function token1() external view returns (address);
    function mint(address to, int24 lower, int24 upper, uint128 amount, bytes calldata data) external;
    function burn(int24 lower, int24 upper, uint128 amount) external;
    function collect(address to, int24 lower, int24 upper, uint128 most0, uint128 most1) external;
}

/// Keeps liquidity of Uniswap V3 in its own name, as vaults and launch venues do: no position manager knows of it.
contract RangeVault {
    function add(IRangePool pool, int24 lower, int24 upper, uint128 amount) external {
        pool.mint(address(this), lower, upper, amount, abi.encode(msg.sender));
    }

    function remove(IRangePool pool, int24 lower, int24 upper, uint128 amount) public {
        pool.burn(lower, upper, amount);
        pool.collect(address(this), lower, upper, type(uint128).max, type(uint128).max);
    }

    /// Moves liquidity into a range of half the width, paid by what comes out of the first and by what the vault has.
    function narrow(IRangePool pool, int24 lower, int24 upper, uint128 amount, uint128 newAmount) external {
        remove(pool, lower, upper, amount);
        int24 quarter = (upper - lower) / 4;
        pool.mint(address(this), lower + quarter, upper - quarter, newAmount, abi.encode(address(this)));
    }

    function uniswapV3MintCallback(uint256 amount0, uint256 amount1, bytes calldata data) external {
        address payer = abi.decode(data, (address));
        pay(IRangePool(msg.sender).token0(), payer, amount0);
        pay(IRangePool(msg.sender).token1(), payer, amount1);
    }

    function pay(address token, address payer, uint256 amount) private {
        if (amount == 0) return;
        if (payer == address(this)) ERC20(token).transfer(msg.sender, amount);
        else ERC20(token).transferFrom(payer, msg.sender, amount);
    }
}
