import { expect, test } from 'vitest'
import { assemble } from '../../research/zoo/assembly.ts'
import { readClone } from '../../src/safety/code/clones.ts'

const TARGET = '0x00000000219ab540356cbb839cbb05303ca7705f'
const BARE = TARGET.slice(2)
const PASS = `CALLDATASIZE 0x00 0x00 CALLDATACOPY 0x00 0x00 CALLDATASIZE 0x00 #73${BARE} GAS DELEGATECALL`
const END =
  'RETURNDATASIZE 0x00 0x00 RETURNDATACOPY @done JUMPI RETURNDATASIZE 0x00 REVERT :done RETURNDATASIZE 0x00 RETURN'

test.each([
  ['of EIP-1167', `0x363d3d373d3d3d363d73${BARE}5af43d82803e903d91602b57fd5bf3`],
  ['with PUSH0', `0x365f5f375f5f365f73${BARE}5af43d5f5f3e5f3d91602a57fd5bf3`],
  ['of early Vyper', `0x366000600037611000600036600073${BARE}5af4602c57600080fd5b6110006000f3`],
  ['of other bytes', assemble(`${PASS} ${END}`)],
] as const)('a clone %s passes every call on', (_, code) => {
  expect(readClone(code)).toMatchObject({ target: TARGET, rest: Buffer.of() })
})

test('the words behind a clone are its rest', () => {
  const words = 'ab'.repeat(64)
  expect(readClone(`0x363d3d373d3d3d363d73${BARE}5af43d82803e903d91602b57fd5bf3${words}`)?.rest.toString('hex')).toBe(
    words,
  )
})

test.each([
  [
    'reads its target from storage',
    assemble(`CALLDATASIZE 0x00 0x00 CALLDATACOPY 0x00 0x00 CALLDATASIZE 0x00 0x00 SLOAD GAS DELEGATECALL ${END}`),
  ],
  [
    'has another target for one caller',
    assemble(
      `CALLER #73${'11'.repeat(20)} EQ @other JUMPI ${PASS} ${END} :other ${PASS.replace(BARE, '22'.repeat(20))} ${END.replaceAll('done', 'end')}`,
    ),
  ],
  ['writes storage before', assemble(`0x01 0x00 SSTORE ${PASS} ${END}`)],
  ['jumps to where its caller says', assemble(`0x00 CALLDATALOAD JUMP :a ${PASS} ${END}`)],
  ['passes nothing on', assemble('0x00 0x00 RETURN')],
  ['never ends', assemble(`:again ${'0x00 POP '.repeat(40)} @again JUMP`)],
] as const)('code that %s is no clone', (_, code) => {
  expect(readClone(code)).toBeNull()
})
