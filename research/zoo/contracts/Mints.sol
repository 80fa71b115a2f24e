// SPDX-License-Identifier: MIT
// Mints that their owner cannot make now.
pragma solidity 0.8.28;

import {Owned} from './Base.sol';

/// All that may ever exist has been minted.
contract CappedMint is Owned {
    uint256 public immutable cap = totalSupply;

    constructor(address f, address w) Owned(f, w) {}

    function mint(address to, uint256 amount) external onlyOwner {
        require(totalSupply + amount <= cap, 'cap');
        _mint(to, amount);
    }
}

/// Its owner switches the mint on.
contract SwitchedMint is Owned {
    bool private isOpen;

    constructor(address f, address w) Owned(f, w) {}

    function setMode(bool value) external onlyOwner {
        isOpen = value;
    }

    function mint(address to, uint256 amount) external onlyOwner {
        require(isOpen, 'closed');
        _mint(to, amount);
    }
}

/// Its owner can mint after a year.
contract LaterMint is Owned {
    uint256 private immutable since = block.timestamp + 365 days;

    constructor(address f, address w) Owned(f, w) {}

    function mint(address to, uint256 amount) external onlyOwner {
        require(block.timestamp >= since, 'too early');
        _mint(to, amount);
    }
}
