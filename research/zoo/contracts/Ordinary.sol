// SPDX-License-Identifier: MIT
// Tokens as honest teams launch them, of OpenZeppelin's and others' parts.
pragma solidity 0.8.28;

import {ERC20} from '@openzeppelin/contracts/token/ERC20/ERC20.sol';
import {ERC20Burnable} from '@openzeppelin/contracts/token/ERC20/extensions/ERC20Burnable.sol';
import {ERC20Permit} from '@openzeppelin/contracts/token/ERC20/extensions/ERC20Permit.sol';
import {Base, Owned} from './Base.sol';

contract OpenZeppelinToken is ERC20, ERC20Burnable, ERC20Permit {
    constructor() ERC20('Zoo', 'ZOO') ERC20Permit('Zoo') {
        _mint(msg.sender, 1e9 ether);
    }
}

/// 3 % of trades, and never more than 5 %.
contract BoundedFee is Owned {
    uint256 public fee = 3;
    address private immutable treasury = msg.sender;

    constructor(address f, address w) Owned(f, w) {}

    function setFee(uint256 percent) external onlyOwner {
        require(percent <= 5, 'at most 5');
        fee = percent;
    }

    function _transfer(address from, address to, uint256 amount) internal override {
        uint256 taken = from == treasury || to == treasury || (from != pair && to != pair) ? 0 : (amount * fee) / 100;
        _move(from, to, amount - taken);
        if (taken > 0) _move(from, treasury, taken);
    }
}

/// Two of three signers own it. (As Safe answers.)
contract Multisig {
    function getThreshold() external pure returns (uint256) {
        return 2;
    }

    function getOwners() external view returns (address[] memory list) {
        list = new address[](3);
        list[0] = address(this);
    }
}

/// Custom errors, and storage by hand, as Solady's.
contract SoladyLike {
    error InsufficientBalance();
    error InsufficientAllowance();
    event Transfer(address indexed from, address indexed to, uint256 amount);
    event Approval(address indexed owner, address indexed spender, uint256 amount);

    uint256 public constant totalSupply = 1e9 ether;

    constructor() {
        _set(msg.sender, totalSupply);
        emit Transfer(address(0), msg.sender, totalSupply);
    }

    function name() external pure returns (string memory) {
        return 'Zoo';
    }

    function symbol() external pure returns (string memory) {
        return 'ZOO';
    }

    function decimals() external pure returns (uint8) {
        return 18;
    }

    function _set(address holder, uint256 value) private {
        assembly {
            mstore(0x0c, 0x87a211a2)
            mstore(0x00, holder)
            sstore(keccak256(0x0c, 0x20), value)
        }
    }

    function balanceOf(address holder) public view returns (uint256 value) {
        assembly {
            mstore(0x0c, 0x87a211a2)
            mstore(0x00, holder)
            value := sload(keccak256(0x0c, 0x20))
        }
    }

    mapping(address => mapping(address => uint256)) public allowance;

    function approve(address spender, uint256 amount) external returns (bool) {
        allowance[msg.sender][spender] = amount;
        emit Approval(msg.sender, spender, amount);
        return true;
    }

    function transfer(address to, uint256 amount) external returns (bool) {
        return _move(msg.sender, to, amount);
    }

    function transferFrom(address from, address to, uint256 amount) external returns (bool) {
        if (allowance[from][msg.sender] < amount) revert InsufficientAllowance();
        allowance[from][msg.sender] -= amount;
        return _move(from, to, amount);
    }

    function _move(address from, address to, uint256 amount) private returns (bool) {
        if (balanceOf(from) < amount) revert InsufficientBalance();
        _set(from, balanceOf(from) - amount);
        _set(to, balanceOf(to) + amount);
        emit Transfer(from, to, amount);
        return true;
    }
}

/// Contracts may not sell: against bots.
contract NoContracts is Owned {
    constructor(address f, address w) Owned(f, w) {}

    function _transfer(address from, address to, uint256 amount) internal override {
        require(to != pair || from.code.length == 0, 'no contracts');
        _move(from, to, amount);
    }
}

/// No wallet may hold more than a fiftieth of the supply; the pair and its maker may.
contract LargestWallet is Owned {
    address private immutable maker = msg.sender;

    constructor(address f, address w) Owned(f, w) {}

    function _transfer(address from, address to, uint256 amount) internal override {
        require(to == pair || to == maker || balances[to] + amount <= totalSupply / 50, 'wallet');
        _move(from, to, amount);
    }
}

/// A proxy whose admin is a timelock.
contract TimelockedProxy {
    constructor(address logic, address admin) {
        assembly {
            sstore(0x360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc, logic)
            sstore(0xb53127684a568b3173ae13b9f8a6016e243e63b6e8ee1178d6a717850b5d6103, admin)
        }
        (bool isDone,) = logic.delegatecall(abi.encodeWithSignature('set(address)', msg.sender));
        require(isDone);
    }

    fallback() external {
        address admin;
        address logic;
        assembly {
            admin := sload(0xb53127684a568b3173ae13b9f8a6016e243e63b6e8ee1178d6a717850b5d6103)
            logic := sload(0x360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc)
        }
        if (msg.sig == 0x3659cfe6 && msg.sender == admin) {
            address next = abi.decode(msg.data[4:], (address));
            assembly {
                sstore(0x360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc, next)
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
