// What a node answers to the call that reads many codes. Input: its data, and the code of an address. Output: a word for
// each address: 8 bytes of the code's length, and 24 of its start.
import { INIT_CODE } from '../../src/chain/contracts/codes.ts'

/** `codeOf` returns hex digits after 0x. */
export function answerCodes(data: string, codeOf: (address: string) => string): string {
  const words = data.slice(2 + INIT_CODE.length).match(/.{64}/g) ?? []
  return `0x${words
    .map((word) => {
      const code = codeOf(`0x${word.slice(24)}`).slice(2)
      return `${(code.length / 2).toString(16).padStart(16, '0')}${code.slice(0, 48).padEnd(48, '0')}`
    })
    .join('')}`
}
