// SPDX-License-Identifier: MIT
// What the tokens of the zoo share: a plain ERC-20 whose subclasses decide what a transfer does.
pragma solidity 0.8.28;

interface IFactory {
    function createPair(address, address) external returns (address);
}

abstract contract Base {
    string public name = 'Zoo';
    string public symbol = 'ZOO';
    uint8 public constant decimals = 18;
    uint256 public totalSupply;
    mapping(address => uint256) internal balances;
    mapping(address => mapping(address => uint256)) public allowance;

    event Transfer(address indexed from, address indexed to, uint256 value);
    event Approval(address indexed owner, address indexed spender, uint256 value);

    constructor() {
        _mint(msg.sender, 1e9 ether);
    }

    function balanceOf(address holder) public view virtual returns (uint256) {
        return balances[holder];
    }

    function approve(address spender, uint256 amount) external virtual returns (bool) {
        allowance[msg.sender][spender] = amount;
        emit Approval(msg.sender, spender, amount);
        return true;
    }

    function transfer(address to, uint256 amount) public virtual returns (bool) {
        _transfer(msg.sender, to, amount);
        return true;
    }

    function transferFrom(address from, address to, uint256 amount) public virtual returns (bool) {
        uint256 allowed = allowance[from][msg.sender];
        require(allowed >= amount, 'allowance');
        if (allowed != type(uint256).max) allowance[from][msg.sender] = allowed - amount;
        _transfer(from, to, amount);
        return true;
    }

    function _transfer(address from, address to, uint256 amount) internal virtual {
        _move(from, to, amount);
    }

    function _move(address from, address to, uint256 amount) internal {
        require(balances[from] >= amount, 'balance');
        unchecked {
            balances[from] -= amount;
            balances[to] += amount;
        }
        emit Transfer(from, to, amount);
    }

    function _mint(address to, uint256 amount) internal {
        totalSupply += amount;
        balances[to] += amount;
        emit Transfer(address(0), to, amount);
    }
}

/// A token with an owner and a pair that it made itself, as most launches of pairs have.
abstract contract Owned is Base {
    address public owner = msg.sender;
    address public pair;

    event OwnershipTransferred(address indexed from, address indexed to);

    modifier onlyOwner() {
        require(msg.sender == owner, 'not the owner');
        _;
    }

    constructor(address factory, address weth) {
        pair = IFactory(factory).createPair(address(this), weth);
    }

    function renounceOwnership() external onlyOwner {
        emit OwnershipTransferred(owner, address(0));
        owner = address(0);
    }

    function transferOwnership(address to) external onlyOwner {
        emit OwnershipTransferred(owner, to);
        owner = to;
    }

    /// A trade of somebody else than the owner.
    function _isSale(address from, address to) internal view returns (bool) {
        return to == pair && from != owner && from != address(this);
    }
}
