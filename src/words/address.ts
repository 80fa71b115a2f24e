// Addresses in the texts of the server, which the page finds in them.

/** Enough of an address to recognise it: 0xa932...51d7. */
export const shortenAddress = (address: string): string => `${address.slice(0, 6)}...${address.slice(-4)}`
