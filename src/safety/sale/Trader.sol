// SPDX-License-Identifier: MIT
// Code that a check lays over an address, or runs in a constructor, to buy and sell as a router does and to measure what arrives. It keeps
// nothing in storage, because the address that it lies over has a storage of its own. It copies no more than 256 bytes of any answer, and
// answers instead of reverting, so that what failed and where is always told. `npx tsx test/safety/compile-code.ts` makes trader.json of it.
pragma solidity 0.8.28;

/// Where a token is sold. kind 1: pairs with reserves; 2: pairs that tell the amount out (Solidly); 3: ranges with a callback (Uniswap V3,
/// Slipstream, Algebra, Pancake); 4: Uniswap V4's manager. `quote` is the wrapped coin where `native` says that the pool holds the native one.
struct Market {
    uint8 kind;
    address pool;
    address token;
    address quote;
    uint24 fee;
    int24 spacing;
    address hooks;
    bool native;
    bool wraps;
}

/// stage 0: nothing failed; 1: approval or balance; 2: the token's transfer; 3: the pool's swap. `left` went out of the seller or the pool, and
/// `arrived` at the pool or the buyer.
struct Outcome {
    uint8 stage;
    uint256 left;
    uint256 arrived;
    uint256 received;
    bytes said;
}

interface IToken {
    function balanceOf(address) external view returns (uint256);
    function allowance(address, address) external view returns (uint256);
    function transfer(address, uint256) external returns (bool);
    function transferFrom(address, address, uint256) external returns (bool);
    function deposit() external payable;
    function totalSupply() external view returns (uint256);
}

interface IPool {
    function getReserves() external view returns (uint256, uint256, uint256);
    function getAmountOut(uint256, address) external view returns (uint256);
    function swap(uint256, uint256, address, bytes calldata) external;
    function swap(address, bool, int256, uint160, bytes calldata) external returns (int256, int256);
}

struct Key {
    address currency0;
    address currency1;
    uint24 fee;
    int24 spacing;
    address hooks;
}

struct SwapParams {
    bool zeroForOne;
    int256 amount;
    uint160 limit;
}

interface IManager {
    function unlock(bytes calldata) external returns (bytes memory);
    function swap(Key memory, SwapParams memory, bytes calldata) external returns (int256);
    function sync(address) external;
    function settle() external payable returns (uint256);
    function take(address, address, uint256) external;
}

contract Trader {
    uint160 private constant LOWEST = 4295128740;
    uint160 private constant HIGHEST = 1461446703485210103287273052203988822378723970341;

    /// What a swap is about, handed through the pool's callback.
    struct Job {
        Market market;
        address payer;
        address to;
        uint256 amount;
        bool isSale;
    }

    receive() external payable {}

    /// Buys with `amount` of the quote that lies here, or of the value sent, for whoever calls.
    function buy(Market calldata m, uint256 amount, address to) external payable returns (Outcome memory done) {
        if (m.wraps && !m.native) {
            (bool isWrapped,) = _try(m.quote, msg.value, abi.encodeCall(IToken.deposit, ()));
            if (!isWrapped) {
                done.stage = 1;
                return done;
            }
        }
        return _swap(Job(m, address(this), to, amount, false));
    }

    /// Sells for `payer`: whoever calls after an approval, or this address itself. Zero: the whole balance.
    function sell(Market calldata m, uint256 amount, address payer) external returns (Outcome memory done) {
        if (amount == 0) amount = _balance(m.token, payer);
        if (amount == 0) {
            done.stage = 1;
            return done;
        }
        return _swap(Job(m, payer, payer, amount, true));
    }

    /// Buys and sells what arrived, in one call.
    function round(Market calldata m, uint256 amount) external payable returns (Outcome memory bought, Outcome memory sold) {
        bought = this.buy{value: msg.value}(m, amount, address(this));
        if (bought.stage == 0) sold = this.sell(m, 0, address(this));
    }

    function _swap(Job memory job) private returns (Outcome memory done) {
        Market memory m = job.market;
        address source = job.isSale ? job.payer : m.pool;
        address sink = job.isSale ? m.pool : job.to;
        uint256 had = _balance(m.token, source);
        uint256 sinkHad = _balance(m.token, sink);
        uint256 quoteHad = _funds(m, job.to);
        (bool isDone, bytes memory said) = _try(address(this), 0, abi.encodeCall(this.perform, (job)));
        if (!isDone) {
            // A first byte of 0xfe says that the token's transfer failed, 0xfd that the quote's did.
            bytes1 mark = said.length > 0 ? said[0] : bytes1(0);
            done.stage = mark == 0xfe ? 2 : mark == 0xfd ? 1 : 3;
            done.said = said;
            return done;
        }
        done.left = _less(had, _balance(m.token, source));
        done.arrived = _less(_balance(m.token, sink), sinkHad);
        done.received = job.isSale ? _less(_funds(m, job.to), quoteHad) : done.arrived;
    }

    /// The swap itself; it reverts as a whole where any part does. Only this contract calls it.
    function perform(Job memory job) external {
        require(msg.sender == address(this));
        Market memory m = job.market;
        if (m.kind <= 2) _pair(job);
        else if (m.kind == 3) _ranges(job);
        else IManager(m.pool).unlock(abi.encode(job));
    }

    function _pair(Job memory job) private {
        Market memory m = job.market;
        (address paid, address bought) = job.isSale ? (m.token, m.quote) : (m.quote, m.token);
        uint256 before = _balance(paid, m.pool);
        _mustPay(job, paid, m.pool, job.amount);
        bool isFirst = paid < bought;
        uint256 out;
        if (m.kind == 2) {
            out = IPool(m.pool).getAmountOut(_less(_balance(paid, m.pool), before), paid);
        } else {
            (uint256 reserve0, uint256 reserve1,) = IPool(m.pool).getReserves();
            (uint256 rIn, uint256 rOut) = isFirst ? (reserve0, reserve1) : (reserve1, reserve0);
            uint256 amountIn = _less(_balance(paid, m.pool), rIn) * (1000000 - m.fee);
            out = amountIn * rOut / (rIn * 1000000 + amountIn);
        }
        IPool(m.pool).swap(isFirst ? 0 : out, isFirst ? out : 0, job.to, '');
    }

    function _ranges(Job memory job) private {
        Market memory m = job.market;
        bool zeroForOne = (job.isSale ? m.token < m.quote : m.quote < m.token);
        IPool(m.pool).swap(job.to, zeroForOne, int256(_first(job)), zeroForOne ? LOWEST : HIGHEST, abi.encode(job));
    }

    /// Of a sale into ranges a half is swapped, so that the rest can make good what a fee takes on the way.
    function _first(Job memory job) private pure returns (uint256) {
        return job.isSale ? (job.amount + 1) / 2 : job.amount;
    }

    /// Uniswap V4's manager calls back here.
    function unlockCallback(bytes calldata data) external returns (bytes memory) {
        Job memory job = abi.decode(data, (Job));
        Market memory m = job.market;
        address quote = m.native ? address(0) : m.quote;
        bool tokenFirst = m.token < quote;
        bool zeroForOne = job.isSale == tokenFirst;
        Key memory key = Key(tokenFirst ? m.token : quote, tokenFirst ? quote : m.token, m.fee, m.spacing, m.hooks);
        SwapParams memory params = SwapParams(zeroForOne, -int256(_first(job)), zeroForOne ? LOWEST : HIGHEST);
        int256 delta = IManager(m.pool).swap(key, params, '');
        int256 delta0 = int256(int128(delta >> 128));
        int256 delta1 = int256(int128(delta));
        (int256 owed, int256 due) = zeroForOne ? (delta0, delta1) : (delta1, delta0);
        address paid = job.isSale ? m.token : quote;
        if (owed < 0) _settle(job, m.pool, paid, uint256(-owed));
        if (due > 0) IManager(m.pool).take(job.isSale ? quote : m.token, job.to, uint256(due));
        return '';
    }

    function _settle(Job memory job, address manager, address paid, uint256 owed) private {
        if (paid == address(0)) {
            IManager(manager).settle{value: owed}();
            return;
        }
        IManager(manager).sync(paid);
        _payInFull(job, paid, manager, owed);
        IManager(manager).settle();
    }

    /// Pools with ranges call back by several names with the same arguments.
    fallback() external {
        if (msg.data.length < 100) return;
        (int256 amount0, int256 amount1, bytes memory data) = abi.decode(msg.data[4:], (int256, int256, bytes));
        Job memory job = abi.decode(data, (Job));
        uint256 owed = uint256(amount0 > 0 ? amount0 : amount1);
        _payInFull(job, job.isSale ? job.market.token : job.market.quote, msg.sender, owed);
    }

    /// Pays until the whole amount has arrived, once more at most.
    function _payInFull(Job memory job, address paid, address to, uint256 owed) private {
        uint256 before = _balance(paid, to);
        _mustPay(job, paid, to, owed);
        uint256 arrived = _less(_balance(paid, to), before);
        if (arrived == 0 || arrived >= owed || job.amount <= owed) return;
        uint256 more = (owed - arrived) * owed / arrived + 2;
        if (more > job.amount - owed) more = job.amount - owed;
        _mustPay(job, paid, to, more);
    }

    function _mustPay(Job memory job, address paid, address to, uint256 amount) private {
        (bool isDone, bytes memory said) = _pay(paid, job.isSale ? job.payer : address(this), to, amount);
        if (isDone) return;
        bytes memory marked = abi.encodePacked(job.isSale ? bytes1(0xfe) : bytes1(0xfd), said);
        assembly {
            revert(add(marked, 32), mload(marked))
        }
    }

    function _pay(address token, address from, address to, uint256 amount) private returns (bool isDone, bytes memory said) {
        bytes memory data = from == address(this)
            ? abi.encodeCall(IToken.transfer, (to, amount))
            : abi.encodeCall(IToken.transferFrom, (from, to, amount));
        (isDone, said) = _try(token, 0, data);
        // Old tokens return nothing; a first word of zero is a refusal.
        if (isDone && said.length >= 32 && abi.decode(said, (uint256)) == 0) isDone = false;
    }

    function _funds(Market memory m, address of_) private view returns (uint256) {
        return m.native ? of_.balance : _balance(m.quote, of_);
    }

    /// Zero where the contract does not tell.
    function _balance(address token, address of_) private view returns (uint256 amount) {
        bytes memory data = abi.encodeCall(IToken.balanceOf, (of_));
        assembly {
            let isDone := staticcall(div(gas(), 2), token, add(data, 32), mload(data), 0, 32)
            if and(isDone, gt(returndatasize(), 31)) { amount := mload(0) }
        }
    }

    function _try(address target, uint256 value, bytes memory data) private returns (bool isDone, bytes memory said) {
        assembly {
            isDone := call(gas(), target, value, add(data, 32), mload(data), 0, 0)
            let size := returndatasize()
            if gt(size, 256) { size := 256 }
            said := mload(0x40)
            mstore(said, size)
            returndatacopy(add(said, 32), 0, size)
            mstore(0x40, add(add(said, 32), and(add(size, 31), not(31))))
        }
    }

    function _less(uint256 a, uint256 b) private pure returns (uint256) {
        return a > b ? a - b : 0;
    }
}

/// Runs the trader from a constructor, where no code can be laid over an address: it deploys one, and answers with what `round` says.
contract Launch {
    constructor(Market memory m, uint256 amount) payable {
        Trader trader = new Trader();
        (Outcome memory bought, Outcome memory sold) = trader.round{value: msg.value}(m, amount);
        bytes memory answer = abi.encode(bought, sold);
        assembly {
            return(add(answer, 32), mload(answer))
        }
    }
}
