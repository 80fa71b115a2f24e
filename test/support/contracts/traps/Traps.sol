// SPDX-License-Identifier: MIT
// Tokens of the demo that take their buyers' money, and two whose owner could. Compiled by ../compile.ts into
// test/fixtures/traps.json, which is committed.
pragma solidity 0.8.28;

import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";

abstract contract OwnedToken is ERC20 {
    address public owner;

    modifier onlyOwner() {
        require(msg.sender == owner, "not the owner");
        _;
    }

    constructor(string memory name_, string memory symbol_, uint256 supply, address to) ERC20(name_, symbol_) {
        owner = to;
        _mint(to, supply);
    }
}

/// Open at first. Once it is closed, only the owner can send to a contract, such as a pool. No log tells.
contract GateToken is OwnedToken {
    bool private isClosed;

    constructor(string memory name_, string memory symbol_, uint256 supply, address to)
        OwnedToken(name_, symbol_, supply, to)
    {}

    function setTrading(bool isOpen) external onlyOwner {
        isClosed = !isOpen;
    }

    function _update(address from, address to, uint256 amount) internal override {
        require(!isClosed || to.code.length == 0 || from == owner, "trading is closed");
        super._update(from, to, amount);
    }
}

/// A fee of 2 % on what is sent to a contract, such as a pool; the owner can raise it to 99 %.
contract RisingFeeToken is OwnedToken {
    uint256 private fee = 2;

    constructor(string memory name_, string memory symbol_, uint256 supply, address to)
        OwnedToken(name_, symbol_, supply, to)
    {}

    function setFee(uint256 percent) external onlyOwner {
        require(percent < 100, "too much");
        fee = percent;
    }

    function _update(address from, address to, uint256 amount) internal override {
        uint256 taken = from == owner || to.code.length == 0 ? 0 : amount * fee / 100;
        if (taken > 0) super._update(from, owner, taken);
        super._update(from, to, amount - taken);
    }
}

/// The owner spends anybody's tokens.
contract GraspingToken is OwnedToken {
    constructor(string memory name_, string memory symbol_, uint256 supply, address to)
        OwnedToken(name_, symbol_, supply, to)
    {}

    function transferFrom(address from, address to, uint256 amount) public override returns (bool) {
        if (msg.sender != owner) return super.transferFrom(from, to, amount);
        _transfer(from, to, amount);
        return true;
    }
}

/// After a change of the "epoch", no account but the owner has anything, and no Transfer tells.
contract EmptiedToken is OwnedToken {
    bool private isEmptied;

    constructor(string memory name_, string memory symbol_, uint256 supply, address to)
        OwnedToken(name_, symbol_, supply, to)
    {}

    function syncEpoch() external onlyOwner {
        isEmptied = true;
    }

    function balanceOf(address account) public view override returns (uint256) {
        return isEmptied && account != owner && account.code.length == 0 ? 0 : super.balanceOf(account);
    }

    function _update(address from, address to, uint256 amount) internal override {
        require(from == address(0) || balanceOf(from) >= amount, "too little");
        super._update(from, to, amount);
    }
}

/// Openly pausable, and never paused.
contract PausableToken is OwnedToken {
    bool public paused;

    event Paused(address account);
    event Unpaused(address account);

    constructor(string memory name_, string memory symbol_, uint256 supply, address to)
        OwnedToken(name_, symbol_, supply, to)
    {}

    function pause() external onlyOwner {
        paused = true;
        emit Paused(msg.sender);
    }

    function unpause() external onlyOwner {
        paused = false;
        emit Unpaused(msg.sender);
    }

    function _update(address from, address to, uint256 amount) internal override {
        require(!paused, "paused");
        super._update(from, to, amount);
    }
}

/// The owner can make more.
contract MintableToken is OwnedToken {
    constructor(string memory name_, string memory symbol_, uint256 supply, address to)
        OwnedToken(name_, symbol_, supply, to)
    {}

    function mint(address to, uint256 amount) external onlyOwner {
        _mint(to, amount);
    }
}
