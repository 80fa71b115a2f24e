// SPDX-License-Identifier: MIT
// Exchanges that no package has: they answer as the real ones do, no more.
pragma solidity 0.8.28;

import {Base} from './Base.sol';

/// A pair that takes its fee of what comes in and tells what goes out, as Solidly's and Aerodrome's do.
contract SolidlyPair {
    Base public immutable token0;
    Base public immutable token1;
    uint256 private reserve0;
    uint256 private reserve1;

    constructor(Base a, Base b) {
        (token0, token1) = address(a) < address(b) ? (a, b) : (b, a);
    }

    function sync() external {
        (reserve0, reserve1) = (token0.balanceOf(address(this)), token1.balanceOf(address(this)));
    }

    function getAmountOut(uint256 amount, address tokenIn) public view returns (uint256) {
        uint256 paid = (amount * 997) / 1000;
        (uint256 a, uint256 b) = tokenIn == address(token0) ? (reserve0, reserve1) : (reserve1, reserve0);
        return (paid * b) / (a + paid);
    }

    function swap(uint256 amount0, uint256 amount1, address to, bytes calldata) external {
        uint256 in0 = token0.balanceOf(address(this)) - reserve0;
        uint256 in1 = token1.balanceOf(address(this)) - reserve1;
        require(amount0 <= getAmountOut(in1, address(token1)) && amount1 <= getAmountOut(in0, address(token0)), 'K');
        if (amount0 > 0) token0.transfer(to, amount0);
        if (amount1 > 0) token1.transfer(to, amount1);
        (reserve0, reserve1) = (token0.balanceOf(address(this)), token1.balanceOf(address(this)));
    }
}
