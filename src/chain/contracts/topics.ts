// Topics of a token's logs.
import { keccakOfText } from '../keccak.ts'

export const TRANSFER_TOPIC = keccakOfText('Transfer(address,address,uint256)')
/** Of ERC-777: the operator, then the holder. */
export const AUTHORIZED_OPERATOR_TOPIC = keccakOfText('AuthorizedOperator(address,address)')
export const APPROVAL_TOPIC = keccakOfText('Approval(address,address,uint256)')
