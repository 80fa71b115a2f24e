// SPDX-License-Identifier: MIT
// Code that a trial of powers lays over accounts, so that one call acts as each of them: an insider first, then holders. It keeps nothing in
// storage, and copies no more than a word of any answer. `npx tsx test/safety/compile-code.ts` makes actor.json of it.
pragma solidity 0.8.28;

/// Takes steps, one after the other: by whom (20 bytes), what is called (20), gas (3), the length of the data (2), the data. Answers 64 bytes for
/// each: 0 where it reverted, 1 where it answered, 2 where it answered nothing; and the first word of the answer.
contract Actor {
    fallback(bytes calldata steps) external payable returns (bytes memory answers) {
        answers = '';
        for (uint256 at = 0; at < steps.length;) {
            uint256 end = at + 45 + uint16(bytes2(steps[at + 43:at + 45]));
            address by = address(bytes20(steps[at:at + 20]));
            bool isOwn = by == address(this);
            (uint256 status, uint256 word) = _call(
                isOwn ? address(bytes20(steps[at + 20:at + 40])) : by,
                uint24(bytes3(steps[at + 40:at + 43])) + (isOwn ? 0 : 40000),
                isOwn ? steps[at + 45:end] : steps[at:end],
                isOwn
            );
            answers = bytes.concat(answers, abi.encode(status, word));
            at = end;
        }
    }

    /// What another account that has this code did is told as if it were done here.
    function _call(address to, uint256 most, bytes memory data, bool isOwn) private returns (uint256 status, uint256 word) {
        assembly {
            mstore(0, 0)
            mstore(32, 0)
            status := call(most, to, 0, add(data, 32), mload(data), 0, 64)
            switch isOwn
            case 1 {
                if and(status, iszero(returndatasize())) { status := 2 }
                if gt(returndatasize(), 31) { word := mload(0) }
            }
            default {
                if status { status := mload(0) }
                word := mload(32)
            }
        }
    }
}
