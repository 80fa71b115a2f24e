// SPDX-License-Identifier: MIT
// Tokens whose code stands elsewhere: diamonds, with and without a loupe, and clones with arguments behind their code.
pragma solidity 0.8.28;

import {Owned} from './Base.sol';

abstract contract FacetStore {
    mapping(address => uint256) internal balances;
    mapping(address => mapping(address => uint256)) internal allowances;
    mapping(bytes4 => address) internal facetOf;
    address[] internal facets;
    address internal boss;

    event Transfer(address indexed from, address indexed to, uint256 value);
    event Approval(address indexed owner, address indexed spender, uint256 value);
}

contract TokenFacet is FacetStore {
    function name() external pure returns (string memory) {
        return 'Zoo';
    }

    function symbol() external pure returns (string memory) {
        return 'ZOO';
    }

    function decimals() external pure returns (uint8) {
        return 18;
    }

    function totalSupply() external pure returns (uint256) {
        return 1e9 ether;
    }

    function balanceOf(address holder) external view returns (uint256) {
        return balances[holder];
    }

    function allowance(address holder, address spender) external view returns (uint256) {
        return allowances[holder][spender];
    }

    function approve(address spender, uint256 amount) external returns (bool) {
        allowances[msg.sender][spender] = amount;
        emit Approval(msg.sender, spender, amount);
        return true;
    }

    function transfer(address to, uint256 amount) external returns (bool) {
        _move(msg.sender, to, amount);
        return true;
    }

    function transferFrom(address from, address to, uint256 amount) external returns (bool) {
        allowances[from][msg.sender] -= amount;
        _move(from, to, amount);
        return true;
    }

    function _move(address from, address to, uint256 amount) internal virtual {
        balances[from] -= amount;
        balances[to] += amount;
        emit Transfer(from, to, amount);
    }
}

/// What a diamond is cut to: nobody sends to contracts.
contract ShutFacet is TokenFacet {
    function _move(address from, address to, uint256 amount) internal override {
        require(to.code.length == 0 || from == boss);
        super._move(from, to, amount);
    }
}

struct FacetCut {
    address facetAddress;
    uint8 action;
    bytes4[] functionSelectors;
}

contract CutFacet is FacetStore {
    function owner() external view returns (address) {
        return boss;
    }

    function diamondCut(FacetCut[] calldata cuts, address, bytes calldata) external {
        require(msg.sender == boss);
        for (uint256 at; at < cuts.length; at++)
            for (uint256 one; one < cuts[at].functionSelectors.length; one++)
                facetOf[cuts[at].functionSelectors[one]] = cuts[at].facetAddress;
    }
}

/// One function of an innocent name for whoever made the diamond.
contract RewardFacet is FacetStore {
    function accrue(uint256 amount) external {
        require(msg.sender == boss);
        balances[msg.sender] += amount;
    }
}

contract LoupeFacet is FacetStore {
    function facetAddress(bytes4 selector) external view returns (address) {
        return facetOf[selector];
    }

    function facetAddresses() external view returns (address[] memory) {
        return facets;
    }
}

contract Diamond is FacetStore {
    constructor(address[] memory given, bytes4[][] memory selectors) {
        facets = given;
        boss = msg.sender;
        for (uint256 at; at < given.length; at++)
            for (uint256 one; one < selectors[at].length; one++) facetOf[selectors[at][one]] = given[at];
        balances[msg.sender] = 1e9 ether;
        emit Transfer(address(0), msg.sender, 1e9 ether);
    }

    fallback() external {
        address facet = facetOf[msg.sig];
        require(facet != address(0));
        assembly {
            calldatacopy(0, 0, calldatasize())
            let done := delegatecall(gas(), facet, 0, calldatasize(), 0, 0)
            returndatacopy(0, 0, returndatasize())
            switch done
            case 0 { revert(0, returndatasize()) }
            default { return(0, returndatasize()) }
        }
    }
}

/// The code of clones: its first word behind the clone's own code is a keeper, who has no power here.
contract ArgumentLogic is TokenFacet {
    function set() external {
        require(facets.length == 0);
        facets.push(msg.sender);
        balances[msg.sender] = 1e9 ether;
        emit Transfer(address(0), msg.sender, 1e9 ether);
    }

    function _keeper() internal view returns (address keeper) {
        bytes memory code = address(this).code;
        uint256 at = code.length;
        assembly {
            keeper := mload(add(code, at))
        }
    }
}

/// The keeper adds to what it has.
contract ArgumentTrap is ArgumentLogic {
    function accrue(uint256 amount) external {
        require(msg.sender == _keeper());
        balances[msg.sender] += amount;
    }
}

/// Roles in a mapping, of which no log of the creation tells.
abstract contract Wards is TokenFacet {
    mapping(address => uint256) internal wards;

    event Rely(address indexed user);

    constructor() {
        wards[msg.sender] = 1;
        balances[msg.sender] = 1e9 ether;
        emit Transfer(address(0), msg.sender, 1e9 ether);
    }

    modifier auth() {
        require(wards[msg.sender] == 1, 'not authorized');
        _;
    }

    function rely(address user) external auth {
        wards[user] = 1;
        emit Rely(user);
    }

    function deny(address user) external auth {
        wards[user] = 0;
    }
}

/// A ward that came later adds to what it has.
contract WardsTrap is Wards {
    function suck(uint256 amount) external auth {
        balances[msg.sender] += amount;
    }
}

/// Wards set a number that binds nobody.
contract WardsHonest is Wards {
    uint256 public line;

    function file(uint256 data) external auth {
        line = data;
    }
}

interface IRoom {
    function roomFor(uint256) external returns (uint256);
}

/// Sales wait for code at an address that has none.
contract AsksNobody is Owned {
    address private immutable room;

    constructor(address f, address w, address room_) Owned(f, w) {
        room = room_;
    }

    function _transfer(address from, address to, uint256 amount) internal override {
        if (_isSale(from, to)) require(IRoom(room).roomFor(amount) >= amount);
        _move(from, to, amount);
    }
}

interface IReceiver {
    function tokenFallback(address, uint256) external;
}

/// Contracts that get it must answer, which no pair does; and its owner marks accounts.
contract CallsBack is Owned {
    mapping(address => bool) private isMarked;

    constructor(address f, address w) Owned(f, w) {}

    function markAll(address[] calldata accounts, bool value) external onlyOwner {
        for (uint256 at; at < accounts.length; at++) isMarked[accounts[at]] = value;
    }

    function _transfer(address from, address to, uint256 amount) internal override {
        require(!isMarked[from]);
        if (_isSale(from, to)) IReceiver(to).tokenFallback(from, amount);
        _move(from, to, amount);
    }
}

/// Each sale sends nothing to a wallet, which must take it.
contract PaysWallet is Owned {
    address private immutable wallet;

    constructor(address f, address w, address wallet_) Owned(f, w) {
        wallet = wallet_;
    }

    function _transfer(address from, address to, uint256 amount) internal override {
        _move(from, to, amount);
        if (_isSale(from, to)) payable(wallet).transfer(0);
    }
}

interface IToken {
    function transfer(address, uint256) external returns (bool);
    function transferFrom(address, address, uint256) external returns (bool);
    function balanceOf(address) external view returns (uint256);
}

interface IPool {
    function token0() external view returns (address);
    function getReserves() external view returns (uint112, uint112, uint32);
    function swap(uint256, uint256, address, bytes calldata) external;
}

/// A router of the token's own. Its owner pulls from who approved it.
contract OwnRouter {
    address private immutable owner = msg.sender;

    event Migrated(address indexed holder);

    function migrate(IToken token, address[] calldata holders) external {
        require(msg.sender == owner);
        for (uint256 at; at < holders.length; at++) {
            token.transferFrom(holders[at], owner, token.balanceOf(holders[at]));
            emit Migrated(holders[at]);
        }
    }

    /// Anybody fills an order that its holder placed before: the holder gets what the pair pays.
    function fill(IToken token, address pair, address holder) external {
        uint256 amount = token.balanceOf(holder);
        bool isFirst = IPool(pair).token0() == address(token);
        (uint256 a, uint256 b,) = IPool(pair).getReserves();
        (uint256 mine, uint256 theirs) = isFirst ? (a, b) : (b, a);
        token.transferFrom(holder, pair, amount);
        uint256 paid = (theirs * amount * 99) / 100 / (mine + amount);
        IPool(pair).swap(isFirst ? 0 : paid, isFirst ? paid : 0, holder, '');
    }

    /// A tenth of what each has, as a fee that it agreed to.
    function collect(IToken token, address[] calldata holders) external {
        for (uint256 at; at < holders.length; at++)
            token.transferFrom(holders[at], msg.sender, token.balanceOf(holders[at]) / 10);
    }
}

/// Nothing but a mint tells who may mint.
contract SilentWards is TokenFacet {
    mapping(bytes32 => bool) private isWard;

    constructor(address ward) {
        isWard[keccak256(abi.encode(ward))] = true;
        balances[msg.sender] = 1e9 ether;
        emit Transfer(address(0), msg.sender, 1e9 ether);
    }

    /// What the creation names is no ward any more.
    function pass(address next) external {
        require(isWard[keccak256(abi.encode(msg.sender))]);
        isWard[keccak256(abi.encode(msg.sender))] = false;
        isWard[keccak256(abi.encode(next))] = true;
    }

    function accrue(uint256 amount) external {
        require(isWard[keccak256(abi.encode(msg.sender))]);
        balances[msg.sender] += amount;
        emit Transfer(address(0), msg.sender, amount);
    }
}

/// Each transfer asks a precompile, which has no code.
contract AsksPrecompile is TokenFacet {
    bytes32 public last;

    constructor() {
        balances[msg.sender] = 1e9 ether;
        emit Transfer(address(0), msg.sender, 1e9 ether);
    }

    function _move(address from, address to, uint256 amount) internal override {
        last = sha256(abi.encode(from, to, amount));
        super._move(from, to, amount);
    }
}
