// The chain on which the contract's tests run: the default one, unless a test file names a further one before it imports
// them.
export const chainUnderTest: { name: string | undefined } = { name: undefined }
