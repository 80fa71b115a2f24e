// Topics of a token's logs.
import { keccakOfText } from '../../chain/keccak.ts'

export const TRANSFER_TOPIC = keccakOfText('Transfer(address,address,uint256)')
export const APPROVAL_TOPIC = keccakOfText('Approval(address,address,uint256)')
