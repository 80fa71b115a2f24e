// SPDX-License-Identifier: MIT
// A token that is paid by signatures, and a contract that does many calls in one transaction. Compiled by ../compile.ts
// into test/fixtures/payments.json, which is committed.
pragma solidity 0.8.28;

import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";
import {EIP712} from "@openzeppelin/contracts/utils/cryptography/EIP712.sol";
import {ECDSA} from "@openzeppelin/contracts/utils/cryptography/ECDSA.sol";

/// A dollar with transfers by signatures, as EIP-3009 has them; its whole supply goes to one account.
contract SignedDollar is ERC20, EIP712 {
    bytes32 private constant TRANSFER = keccak256(
        "TransferWithAuthorization(address from,address to,uint256 value,uint256 validAfter,uint256 validBefore,bytes32 nonce)"
    );

    mapping(address => mapping(bytes32 => bool)) public authorizationState;

    event AuthorizationUsed(address indexed authorizer, bytes32 indexed nonce);

    constructor(address to) ERC20("Signed Dollar", "SUSD") EIP712("Signed Dollar", "2") {
        _mint(to, 1e15);
    }

    function decimals() public pure override returns (uint8) {
        return 6;
    }

    function DOMAIN_SEPARATOR() external view returns (bytes32) {
        return _domainSeparatorV4();
    }

    function transferWithAuthorization(
        address from,
        address to,
        uint256 value,
        uint256 validAfter,
        uint256 validBefore,
        bytes32 nonce,
        uint8 v,
        bytes32 r,
        bytes32 s
    ) external {
        require(block.timestamp > validAfter, "authorization is not yet valid");
        require(block.timestamp < validBefore, "authorization is expired");
        require(!authorizationState[from][nonce], "authorization is used");
        bytes32 hash = keccak256(abi.encode(TRANSFER, from, to, value, validAfter, validBefore, nonce));
        require(ECDSA.recover(_hashTypedDataV4(hash), v, r, s) == from, "invalid signature");
        authorizationState[from][nonce] = true;
        emit AuthorizationUsed(from, nonce);
        _transfer(from, to, value);
    }
}

/// Does many calls in one transaction.
contract Batch {
    function run(address to, bytes[] calldata calls) external {
        for (uint256 at = 0; at < calls.length; at++) {
            (bool done,) = to.call(calls[at]);
            require(done, "a call failed");
        }
    }
}
