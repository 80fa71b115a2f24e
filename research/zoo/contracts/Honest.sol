// SPDX-License-Identifier: MIT
// Tokens that do nothing to their holders, though they look unusual: a check must not take them for traps.
pragma solidity 0.8.28;

import {Base, Owned} from './Base.sol';

/// Everything in the supply, no owner.
contract Plain is Base {}

/// 5 % of each trade goes to the treasury, and nobody can change it.
contract FixedFee is Owned {
    address private immutable treasury = msg.sender;

    constructor(address f, address w) Owned(f, w) {}

    function _transfer(address from, address to, uint256 amount) internal override {
        uint256 taken = from == treasury || to == treasury || (from != pair && to != pair) ? 0 : amount / 20;
        _move(from, to, amount - taken);
        if (taken > 0) _move(from, treasury, taken);
    }
}

/// Balances grow by a hundredth of a percent with each call of anybody.
contract Rebasing is Base {
    uint256 private factor = 1e18;

    function grow() external {
        if (factor < 1.05e18) factor += 1e14;
    }

    function balanceOf(address holder) public view override returns (uint256) {
        return (balances[holder] * factor) / 1e18;
    }

    function _transfer(address from, address to, uint256 amount) internal override {
        _move(from, to, (amount * 1e18) / factor);
    }
}

/// It had an owner, who gave it up.
contract Renounced is Owned {
    uint256 public fee = 1;

    constructor(address f, address w) Owned(f, w) {}

    function setFee(uint256 percent) external onlyOwner {
        fee = percent;
    }

    function _transfer(address from, address to, uint256 amount) internal override {
        uint256 taken = from == pair || to == pair ? (amount * fee) / 100 : 0;
        _move(from, to, amount - taken);
        if (taken > 0) _move(from, address(0xdead), taken);
    }
}

/// Pausable by a timelock of two days.
contract Timelocked is Owned {
    bool public paused;

    constructor(address f, address w) Owned(f, w) {}

    function pause() external onlyOwner {
        paused = true;
    }

    function _transfer(address from, address to, uint256 amount) internal override {
        require(!paused, 'paused');
        _move(from, to, amount);
    }
}

/// Only its admin calls it, after two days.
contract Timelock {
    address private immutable admin = msg.sender;
    mapping(bytes32 => uint256) private readyAt;

    function getMinDelay() external pure returns (uint256) {
        return 2 days;
    }

    function schedule(address target, bytes calldata data) external {
        require(msg.sender == admin);
        readyAt[keccak256(abi.encode(target, data))] = block.timestamp + 2 days;
    }

    function execute(address target, bytes calldata data) external {
        uint256 at = readyAt[keccak256(abi.encode(target, data))];
        require(at > 0 && at <= block.timestamp);
        (bool isDone,) = target.call(data);
        require(isDone);
    }
}

/// A stablecoin with the powers that issuers have, all named openly.
contract Stablecoin is Base {
    address public owner = msg.sender;
    bool public paused;
    mapping(address => bool) public isBlacklisted;

    modifier onlyOwner() {
        require(msg.sender == owner, 'not the owner');
        _;
    }

    function pause() external onlyOwner {
        paused = true;
    }

    function blacklist(address account) external onlyOwner {
        isBlacklisted[account] = true;
    }

    function mint(address to, uint256 amount) external onlyOwner {
        _mint(to, amount);
    }

    function _transfer(address from, address to, uint256 amount) internal override {
        require(!paused && !isBlacklisted[from], 'not allowed');
        _move(from, to, amount);
    }
}

/// What minimal clones delegate to.
contract CloneLogic is Base {
    function set(address to) external {
        require(totalSupply == 0);
        _mint(to, 1e9 ether);
    }
}

/// Calls who receives, if it has code and asked for it.
contract Calling is Base {
    function _transfer(address from, address to, uint256 amount) internal override {
        _move(from, to, amount);
        if (to.code.length > 0) {
            (bool isDone,) = to.call{gas: 100_000}(abi.encodeWithSignature('tokensReceived(address,uint256)', from, amount));
            isDone;
        }
    }
}

/// One trade per account and block.
contract CoolDown is Owned {
    mapping(address => uint256) private tradedAt;

    constructor(address f, address w) Owned(f, w) {}

    function _transfer(address from, address to, uint256 amount) internal override {
        address trader = from == pair ? to : to == pair ? from : address(0);
        if (trader != address(0) && trader != owner) {
            require(tradedAt[trader] != block.number, 'one trade per block');
            tradedAt[trader] = block.number;
        }
        _move(from, to, amount);
    }
}

/// Ten minutes between a purchase and a sale.
contract LongPause is Owned {
    mapping(address => uint256) private boughtAt;

    constructor(address f, address w) Owned(f, w) {}

    function _transfer(address from, address to, uint256 amount) internal override {
        if (from == pair) boughtAt[to] = block.timestamp;
        require(to != pair || block.timestamp >= boughtAt[from] + 10 minutes, 'wait');
        _move(from, to, amount);
    }
}

/// Anybody hands in what a holder signed: an authorization of EIP-3009, or a call as that holder.
contract Relayed is Base {
    bytes32 private constant AUTHORIZATION =
        keccak256('TransferWithAuthorization(address from,address to,uint256 value,uint256 validAfter,uint256 validBefore,bytes32 nonce)');
    bytes32 private constant META = keccak256('MetaTransaction(uint256 nonce,address from,bytes functionSignature)');
    mapping(address => mapping(bytes32 => bool)) public authorizationState;
    mapping(address => uint256) public nonces;

    event AuthorizationUsed(address indexed authorizer, bytes32 indexed nonce);

    function DOMAIN_SEPARATOR() public view returns (bytes32) {
        return keccak256(
            abi.encode(keccak256('EIP712Domain(uint256 chainId,address verifyingContract)'), block.chainid, address(this))
        );
    }

    function transferWithAuthorization(
        address from,
        address to,
        uint256 value,
        uint256 validAfter,
        uint256 validBefore,
        bytes32 nonce,
        uint8 v,
        bytes32 r,
        bytes32 s
    ) external {
        require(block.timestamp > validAfter && block.timestamp < validBefore, 'time');
        require(!authorizationState[from][nonce], 'used');
        _check(from, keccak256(abi.encode(AUTHORIZATION, from, to, value, validAfter, validBefore, nonce)), v, r, s);
        authorizationState[from][nonce] = true;
        emit AuthorizationUsed(from, nonce);
        _transfer(from, to, value);
    }

    function executeMetaTransaction(address from, bytes calldata data, bytes32 r, bytes32 s, uint8 v) external {
        _check(from, keccak256(abi.encode(META, nonces[from]++, from, keccak256(data))), v, r, s);
        (address to, uint256 amount) = abi.decode(data[4:], (address, uint256));
        _transfer(from, to, amount);
    }

    function _check(address signer, bytes32 message, uint8 v, bytes32 r, bytes32 s) private view {
        bytes32 digest = keccak256(abi.encodePacked(hex'1901', DOMAIN_SEPARATOR(), message));
        require(signer != address(0) && ecrecover(digest, v, r, s) == signer, 'signature');
    }
}

/// Minters mint, and the deployer is none any more.
contract RenouncedRole is Base {
    mapping(address => bool) private isMinter;

    constructor() {
        isMinter[msg.sender] = true;
    }

    function mint(address to, uint256 amount) external {
        require(isMinter[msg.sender], 'not a minter');
        _mint(to, amount);
    }

    function renounceMinter() external {
        isMinter[msg.sender] = false;
    }
}
