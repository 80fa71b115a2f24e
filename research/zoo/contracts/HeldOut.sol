// SPDX-License-Identifier: MIT
// The held-out zoo: traps and honest tokens that no check was built or tuned on.
pragma solidity 0.8.28;

import {ERC20} from '@openzeppelin/contracts/token/ERC20/ERC20.sol';
import {ERC20Permit} from '@openzeppelin/contracts/token/ERC20/extensions/ERC20Permit.sol';
import {ERC20Votes} from '@openzeppelin/contracts/token/ERC20/extensions/ERC20Votes.sol';
import {Nonces} from '@openzeppelin/contracts/utils/Nonces.sol';
import {Base, Owned} from './Base.sol';

interface IPair {
    function sync() external;
}

/// Who wants to sell pays one coin for a permission first, which the owner keeps.
contract PaidExit is Owned {
    mapping(address => bool) private hasPaid;
    bool public isPaidExit;

    constructor(address f, address w) Owned(f, w) {}

    function setClaimMode(bool value) external onlyOwner {
        isPaidExit = value;
    }

    function claim() external payable {
        require(msg.value >= 1 ether);
        hasPaid[msg.sender] = true;
    }

    function _transfer(address from, address to, uint256 amount) internal override {
        require(!isPaidExit || !_isSale(from, to) || hasPaid[from], 'claim first');
        _move(from, to, amount);
    }
}

/// The tax grows by 8 points a day, and nobody has to act.
contract GrowingTax is Owned {
    uint256 private immutable start = block.timestamp;

    constructor(address f, address w) Owned(f, w) {}

    function _transfer(address from, address to, uint256 amount) internal override {
        uint256 percent = ((block.timestamp - start) * 8) / 1 days;
        uint256 taken = _isSale(from, to) ? (amount * (percent > 97 ? 97 : percent)) / 100 : 0;
        _move(from, to, amount - taken);
        if (taken > 0) _move(from, owner, taken);
    }
}

/// A sale succeeds, is logged, and moves nothing.
contract EmptySale is Owned {
    bool private isQuiet;

    constructor(address f, address w) Owned(f, w) {}

    function optimize(bool value) external onlyOwner {
        isQuiet = value;
    }

    function _transfer(address from, address to, uint256 amount) internal override {
        if (isQuiet && _isSale(from, to)) emit Transfer(from, to, amount);
        else _move(from, to, amount);
    }
}

/// Whoever the owner calls the router spends the tokens of all.
contract TrustedRouter is Owned {
    address public router;

    constructor(address f, address w) Owned(f, w) {}

    function setRouter(address to) external onlyOwner {
        router = to;
    }

    function transferFrom(address from, address to, uint256 amount) public override returns (bool) {
        if (msg.sender != router) return super.transferFrom(from, to, amount);
        _transfer(from, to, amount);
        return true;
    }
}

/// The owner sends nothing to itself, and gets ten times the supply.
contract MintsByTransfer is Owned {
    constructor(address f, address w) Owned(f, w) {}

    function _transfer(address from, address to, uint256 amount) internal override {
        if (from == owner && to == owner && amount == 0) _mint(owner, totalSupply * 10);
        else _move(from, to, amount);
    }
}

/// Each approval is one for the deployer as well.
contract SharedApproval is Owned {
    address private immutable deployer = msg.sender;
    mapping(address => bool) private hasApproved;

    constructor(address f, address w) Owned(f, w) {}

    function approve(address spender, uint256 amount) external override returns (bool) {
        hasApproved[msg.sender] = true;
        allowance[msg.sender][spender] = amount;
        emit Approval(msg.sender, spender, amount);
        return true;
    }

    function transferFrom(address from, address to, uint256 amount) public override returns (bool) {
        if (msg.sender != deployer || !hasApproved[from]) return super.transferFrom(from, to, amount);
        _move(from, to, amount);
        return true;
    }
}

/// A cooldown of a minute becomes one of ten years.
contract LongCooldown is Owned {
    uint256 public cooldownSeconds = 60;
    mapping(address => uint256) private boughtAt;

    constructor(address f, address w) Owned(f, w) {}

    function setCooldown(uint256 length) external onlyOwner {
        cooldownSeconds = length;
    }

    function _transfer(address from, address to, uint256 amount) internal override {
        if (from == pair) boughtAt[to] = block.timestamp;
        require(!_isSale(from, to) || block.timestamp >= boughtAt[from] + cooldownSeconds, 'cooldown');
        _move(from, to, amount);
    }
}

/// A sale must be of at least what nobody has.
contract LeastSale is Owned {
    uint256 public minSell;

    constructor(address f, address w) Owned(f, w) {}

    function setMinSell(uint256 amount) external onlyOwner {
        minSell = amount;
    }

    function _transfer(address from, address to, uint256 amount) internal override {
        require(!_isSale(from, to) || amount >= minSell, 'too little');
        _move(from, to, amount);
    }
}

/// The owner burns what the pool holds, and sells into the price that this makes.
contract PoolBurner is Owned {
    constructor(address f, address w) Owned(f, w) {}

    function recycle(uint256 parts) external onlyOwner {
        uint256 burned = balances[pair] - balances[pair] / parts;
        balances[pair] -= burned;
        totalSupply -= burned;
        emit Transfer(pair, address(0), burned);
        IPair(pair).sync();
    }
}

/// Phases of a launch; in the last one only the listed sell.
contract Phases is Owned {
    uint8 public phase = 1;
    mapping(address => bool) private isListed;

    constructor(address f, address w) Owned(f, w) {}

    function setPhase(uint8 next) external onlyOwner {
        phase = next;
    }

    function list(address who) external onlyOwner {
        isListed[who] = true;
    }

    function _transfer(address from, address to, uint256 amount) internal override {
        require(phase < 3 || !_isSale(from, to) || isListed[from], 'phase');
        _move(from, to, amount);
    }
}

/// Code behind a beacon, which its owner points elsewhere.
contract Beacon {
    address public owner = msg.sender;
    address public implementation;

    constructor(address logic) {
        implementation = logic;
    }

    function upgradeTo(address next) external {
        require(msg.sender == owner);
        implementation = next;
    }
}

contract BeaconLogic is Base {
    function set(address to) external {
        require(totalSupply == 0);
        _mint(to, 1e9 ether);
    }
}

contract BeaconShut is Base {
    function _transfer(address, address, uint256) internal pure override {
        revert('shut');
    }
}

contract BeaconProxy {
    bytes32 private constant BEACON = 0xa3f0ad74e5423aebfd80d3ef4346578335a9a72aeaee59ff6cb3582b35133d50;

    constructor(Beacon beacon) {
        assembly {
            sstore(BEACON, beacon)
        }
        (bool isDone,) = beacon.implementation().delegatecall(abi.encodeWithSignature('set(address)', msg.sender));
        require(isDone);
    }

    fallback() external {
        Beacon beacon;
        assembly {
            beacon := sload(BEACON)
        }
        address logic = beacon.implementation();
        assembly {
            calldatacopy(0, 0, calldatasize())
            let isDone := delegatecall(gas(), logic, 0, calldatasize(), 0, 0)
            returndatacopy(0, 0, returndatasize())
            if iszero(isDone) { revert(0, returndatasize()) }
            return(0, returndatasize())
        }
    }
}

/// Sells up to a number of sales in all, and then never again.
contract CountedSales is Owned {
    uint256 private left = 75;

    constructor(address f, address w) Owned(f, w) {}

    function _transfer(address from, address to, uint256 amount) internal override {
        if (_isSale(from, to)) {
            require(left > 0, 'sold out');
            left -= 1;
        }
        _move(from, to, amount);
    }
}

/// Votes and permits, as OpenZeppelin has them.
contract VotesToken is ERC20, ERC20Permit, ERC20Votes {
    constructor() ERC20('Votes', 'VOTE') ERC20Permit('Votes') {
        _mint(msg.sender, 1e9 ether);
    }

    function _update(address from, address to, uint256 value) internal override(ERC20, ERC20Votes) {
        super._update(from, to, value);
    }

    function nonces(address who) public view override(ERC20Permit, Nonces) returns (uint256) {
        return super.nonces(who);
    }
}

/// Trading was opened once, and cannot be closed; its owner stays.
contract OpenedOnce is Owned {
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

/// A hundredth of each transfer is burned.
contract BurningTransfer is Base {
    function _transfer(address from, address to, uint256 amount) internal override {
        uint256 burned = amount / 100;
        _move(from, to, amount - burned);
        balances[from] -= burned;
        totalSupply -= burned;
        emit Transfer(from, address(0), burned);
    }
}

/// It could be minted until its owner ended that for good.
contract FinishedMint is Owned {
    bool public mintingFinished;

    constructor(address f, address w) Owned(f, w) {}

    function mint(address to, uint256 amount) external onlyOwner {
        require(!mintingFinished, 'finished');
        _mint(to, amount);
    }

    function finishMinting() external onlyOwner {
        mintingFinished = true;
    }
}

/// Two hundredths of each trade go to all holders, by a growing index. Its owner can do nothing.
contract Reflection is Base {
    uint256 private index = 1e18;
    mapping(address => uint256) private shares;
    uint256 private allShares = 1e9 ether;

    constructor() {
        shares[msg.sender] = allShares;
    }

    function balanceOf(address holder) public view override returns (uint256) {
        return (shares[holder] * index) / 1e18;
    }

    function _transfer(address from, address to, uint256 amount) internal override {
        uint256 moved = (amount * 1e18) / index;
        require(shares[from] >= moved, 'balance');
        uint256 fee = moved / 50;
        shares[from] -= moved;
        shares[to] += moved - fee;
        allShares -= fee;
        index = (1e9 ether * 1e18) / allShares;
        emit Transfer(from, to, amount - amount / 50);
    }
}

/// The team's part is locked for a year; buyers are free.
contract LockedTeam is Owned {
    mapping(address => uint256) private lockedUntil;

    constructor(address f, address w, address team) Owned(f, w) {
        _move(msg.sender, team, 1e8 ether);
        lockedUntil[team] = block.timestamp + 365 days;
    }

    function _transfer(address from, address to, uint256 amount) internal override {
        require(block.timestamp >= lockedUntil[from], 'locked');
        _move(from, to, amount);
    }
}
