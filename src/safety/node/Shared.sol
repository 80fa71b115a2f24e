// SPDX-License-Identifier: MIT
// Code that lets one request ask many questions. No question sees what another one did, because each ends in a revert. No answer has more
// than 512 bytes, and none takes the gas of the next. `npx tsx test/safety/compile-code.ts` makes shared.json of it.
pragma solidity 0.8.28;

/// Lies at an address of nobody, and asks. A question is a kind (1 byte), an address (20), gas (3), the length of the data (2), the data. The
/// kinds: 0 a call, 1 the code at the address, 2 its balance in wei. An answer is a word of status, a word of length, and so many bytes, filled
/// up to whole words. Status 0: refused; 1: answered; 2: not asked, because gas was short; 3: refused, and all gas used; 4: too long.
contract Reader {
    fallback() external payable {
        assembly {
            let word := calldataload(0)
            // A call from this contract to itself asks one question, and then reverts.
            if eq(caller(), address()) {
                let size := and(shr(48, word), 0xffff)
                calldatacopy(0, 26, size)
                let who := and(shr(88, word), 0xffffffffffffffffffffffffffffffffffffffff)
                let status := call(and(shr(64, word), 0xffffff), who, 0, 0, size, 0, 0)
                let long := returndatasize()
                if gt(long, 512) {
                    if status { status := 4 }
                    long := 512
                }
                mstore(0, status)
                returndatacopy(32, 0, long)
                revert(0, add(32, long))
            }
            let at := 0x80
            for { let from := 0 } lt(from, calldatasize()) {} {
                word := calldataload(from)
                let kind := shr(248, word)
                let who := and(shr(88, word), 0xffffffffffffffffffffffffffffffffffffffff)
                let most := and(shr(64, word), 0xffffff)
                let size := add(26, and(shr(48, word), 0xffff))
                let status := 2
                let long := 0
                switch kind
                case 1 {
                    status := 4
                    if lt(extcodesize(who), 65537) {
                        status := 1
                        long := extcodesize(who)
                        extcodecopy(who, add(at, 64), 0, long)
                    }
                }
                case 2 {
                    status := 1
                    long := 32
                    mstore(add(at, 64), balance(who))
                }
                default {
                    // A 64th of the gas stays behind at each of two calls.
                    if gt(gas(), add(add(most, div(most, 16)), 60000)) {
                        calldatacopy(at, from, size)
                        let had := gas()
                        pop(call(add(add(most, div(most, 32)), 30000), address(), 0, at, size, 0, 0))
                        let used := sub(had, gas())
                        if gt(returndatasize(), 31) {
                            long := sub(returndatasize(), 32)
                            returndatacopy(0, 0, 32)
                            status := mload(0)
                            returndatacopy(add(at, 64), 32, long)
                            if and(iszero(or(status, long)), gt(used, most)) { status := 3 }
                        }
                    }
                }
                mstore(at, status)
                mstore(add(at, 32), long)
                at := add(at, add(64, and(add(long, 31), not(31))))
                from := add(from, size)
            }
            return(0x80, sub(at, 0x80))
        }
    }
}

/// Lies over a contract, and answers the words of its storage whose places it is given.
contract Slots {
    fallback() external payable {
        assembly {
            for { let at := 0 } lt(at, calldatasize()) { at := add(at, 32) } { mstore(at, sload(calldataload(at))) }
            return(0, calldatasize())
        }
    }
}

/// Lies over a contract whose own code was put to ORIGINAL. An account that calls it gets told what the contract did, and nothing is done.
/// Calls of other contracts are the contract's own.
contract Gate {
    address private constant ORIGINAL = 0xA1A1a1a1A1A1A1A1A1a1a1a1a1a1A1A1a1A1a1a1;
    address private constant TRIER = 0xb2b2b2b2b2B2b2B2B2b2b2B2B2b2B2B2b2b2b2b2;

    fallback() external payable {
        assembly {
            calldatacopy(0, 0, calldatasize())
            if eq(caller(), origin()) {
                let had := gas()
                pop(delegatecall(gas(), TRIER, 0, calldatasize(), 0, 0))
                let long := returndatasize()
                mstore(0, had)
                returndatacopy(32, 0, long)
                return(0, add(32, long))
            }
            let isDone := delegatecall(gas(), ORIGINAL, 0, calldatasize(), 0, 0)
            returndatacopy(0, 0, returndatasize())
            if isDone { return(0, returndatasize()) }
            revert(0, returndatasize())
        }
    }
}

/// Runs the code at ORIGINAL in the place of its caller, and reverts. It tells a status as Reader does, the whole length of the answer, and the
/// first 512 bytes.
contract Trier {
    address private constant ORIGINAL = 0xA1A1a1a1A1A1A1A1A1a1a1a1a1a1A1A1a1A1a1a1;

    fallback() external payable {
        assembly {
            calldatacopy(0, 0, calldatasize())
            let had := gas()
            let status := delegatecall(gas(), ORIGINAL, 0, calldatasize(), 0, 0)
            let long := returndatasize()
            if and(iszero(or(status, long)), lt(gas(), div(had, 32))) { status := 3 }
            if gt(long, 512) {
                if status { status := 4 }
                long := 512
            }
            mstore(0, status)
            mstore(32, long)
            returndatacopy(64, 0, long)
            revert(0, add(64, long))
        }
    }
}
