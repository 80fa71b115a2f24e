// A contract that divides what it is paid among addresses, as services for many payments at once do.
import type { Abi, Hex } from 'viem'

export const DISPERSER: { abi: Abi; code: Hex } = {
  abi: [
    {
      ...{ type: 'function', name: 'disperse', stateMutability: 'payable', outputs: [] },
      inputs: [{ name: 'to', type: 'address[]' }],
    },
  ],
  // per = CALLVALUE / ((CALLDATASIZE - 0x44) / 0x20); for each word from 0x44 on: CALL(word, per).
  code: '0x60206044360304340460445b368110156023575f5f5f5f8585355af150602001600b565b00',
}
