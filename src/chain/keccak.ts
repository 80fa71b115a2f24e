// Keccak-256, the hash of the EVM, as hex with "0x".
import { keccak_256 } from '@noble/hashes/sha3.js'
import { bytesToHex, hexToBytes, utf8ToBytes } from '@noble/hashes/utils.js'

/** The hash of a text, such as an event's signature. */
export const keccakOfText = (text: string): `0x${string}` => `0x${bytesToHex(keccak_256(utf8ToBytes(text)))}`

/** The hash of bytes given as hex digits without "0x". */
export const keccakOfHex = (hex: string): `0x${string}` => `0x${bytesToHex(keccak_256(hexToBytes(hex)))}`
