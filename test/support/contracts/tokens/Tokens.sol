// SPDX-License-Identifier: MIT
// Tokens for tests. Compiled by ../compile.ts into test/fixtures/tokens.json, which is committed.
pragma solidity 0.8.28;

import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";

/// A plain token with chosen decimals; its whole supply goes to one account. Any name, also a hostile one.
contract PlainToken is ERC20 {
    uint8 private immutable places;

    constructor(string memory name_, string memory symbol_, uint8 decimals_, uint256 supply, address to)
        ERC20(name_, symbol_)
    {
        places = decimals_;
        _mint(to, supply);
    }

    function decimals() public view override returns (uint8) {
        return places;
    }

    function burn(uint256 amount) external {
        _burn(msg.sender, amount);
    }
}

/// A faucet: anyone mints.
contract FaucetToken is PlainToken {
    constructor(string memory name_, string memory symbol_, uint8 decimals_)
        PlainToken(name_, symbol_, decimals_, 0, msg.sender)
    {}

    function mint(address to, uint256 amount) external {
        _mint(to, amount);
    }
}

/// Takes a fee of every transfer: half to the treasury, half burned. The deployer's own transfers are free.
contract FeeToken is PlainToken {
    address private immutable treasury;
    uint256 private immutable feeBps;

    constructor(
        string memory name_,
        string memory symbol_,
        uint8 decimals_,
        uint256 supply,
        address to,
        uint256 feeBps_
    ) PlainToken(name_, symbol_, decimals_, supply, to) {
        treasury = to;
        feeBps = feeBps_;
    }

    function _update(address from, address to, uint256 amount) internal override {
        if (from == address(0) || to == address(0) || from == treasury || to == treasury) {
            super._update(from, to, amount);
            return;
        }
        uint256 half = amount * feeBps / 20000;
        super._update(from, treasury, half);
        super._update(from, address(0), half);
        super._update(from, to, amount - 2 * half);
    }
}

/// What a token must do, and nothing about its name.
abstract contract BareToken {
    mapping(address => uint256) public balanceOf;
    mapping(address => mapping(address => uint256)) public allowance;
    uint256 public totalSupply;

    event Transfer(address indexed from, address indexed to, uint256 value);
    event Approval(address indexed owner, address indexed spender, uint256 value);

    constructor(uint256 supply, address to) {
        totalSupply = supply;
        balanceOf[to] = supply;
        emit Transfer(address(0), to, supply);
    }

    function approve(address spender, uint256 amount) external returns (bool) {
        allowance[msg.sender][spender] = amount;
        emit Approval(msg.sender, spender, amount);
        return true;
    }

    function transfer(address to, uint256 amount) external returns (bool) {
        move(msg.sender, to, amount);
        return true;
    }

    function transferFrom(address from, address to, uint256 amount) external returns (bool) {
        allowance[from][msg.sender] -= amount;
        move(from, to, amount);
        return true;
    }

    function move(address from, address to, uint256 amount) private {
        balanceOf[from] -= amount;
        balanceOf[to] += amount;
        emit Transfer(from, to, amount);
    }
}

/// Name and symbol as bytes32, as tokens of 2017 had them.
contract Bytes32Token is BareToken {
    bytes32 public name;
    bytes32 public symbol;
    uint8 public constant decimals = 18;

    constructor(bytes32 name_, bytes32 symbol_, uint256 supply, address to) BareToken(supply, to) {
        name = name_;
        symbol = symbol_;
    }
}

/// Reverts when asked about itself.
contract MuteToken is BareToken {
    constructor(uint256 supply, address to) BareToken(supply, to) {}

    function name() external pure returns (string memory) {
        revert("none of your business");
    }

    function symbol() external pure returns (string memory) {
        revert();
    }

    function decimals() external pure returns (uint8) {
        revert();
    }
}
