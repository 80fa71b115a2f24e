// SPDX-License-Identifier: MIT
// Lockers for tests, with the logs of real ones. Compiled by ../compile.ts into test/fixtures/lockers.json, which is committed.
pragma solidity 0.8.28;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";

/// Logs as UNCX's first locker of V2 shares: no lock has a number in them.
contract PlainLocker {
    event onDeposit(address lpToken, address user, uint256 amount, uint256 lockDate, uint256 unlockDate);
    event onWithdraw(address lpToken, uint256 amount);

    struct Lock {
        address token;
        address owner;
        uint256 amount;
        uint256 endsAt;
    }

    Lock[] public locks;

    function lock(address token, uint256 amount, uint256 endsAt) external {
        IERC20(token).transferFrom(msg.sender, address(this), amount);
        locks.push(Lock(token, msg.sender, amount, endsAt));
        emit onDeposit(token, msg.sender, amount, block.timestamp, endsAt);
    }

    function withdraw(uint256 index, uint256 amount) external {
        Lock storage it = locks[index];
        require(it.owner == msg.sender && it.endsAt < block.timestamp);
        it.amount -= amount;
        IERC20(it.token).transfer(msg.sender, amount);
        emit onWithdraw(it.token, amount);
    }
}

/// Logs as PinkLock's second: each lock has a number, and can be extended.
contract NumberedLocker {
    event LockAdded(uint256 indexed id, address token, address owner, uint256 amount, uint256 unlockDate);
    event LockUpdated(uint256 indexed id, address token, address owner, uint256 newAmount, uint256 newUnlockDate);
    event LockRemoved(uint256 indexed id, address token, address owner, uint256 amount, uint256 unlockedAt);

    struct Lock {
        address token;
        address owner;
        uint256 amount;
        uint256 endsAt;
    }

    uint256 private constant FIRST = 1_000_000;
    Lock[] private kept;

    function locks(uint256 id) external view returns (Lock memory) {
        return kept[id - FIRST];
    }

    function lock(address token, uint256 amount, uint256 endsAt) external {
        IERC20(token).transferFrom(msg.sender, address(this), amount);
        kept.push(Lock(token, msg.sender, amount, endsAt));
        emit LockAdded(FIRST + kept.length - 1, token, msg.sender, amount, endsAt);
    }

    function extend(uint256 id, uint256 endsAt) external {
        Lock storage it = kept[id - FIRST];
        require(it.owner == msg.sender && endsAt >= it.endsAt);
        it.endsAt = endsAt;
        emit LockUpdated(id, it.token, it.owner, it.amount, endsAt);
    }

    function unlock(uint256 id) external {
        Lock storage it = kept[id - FIRST];
        require(it.owner == msg.sender && it.endsAt <= block.timestamp);
        uint256 amount = it.amount;
        it.amount = 0;
        IERC20(it.token).transfer(msg.sender, amount);
        emit LockRemoved(id, it.token, msg.sender, amount, block.timestamp);
    }
}
