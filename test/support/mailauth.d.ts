declare module 'mailauth' {
  /** The part that tests use: the DKIM results of a raw message. */
  export function authenticate(
    message: Buffer | string,
    options: Record<string, unknown>,
  ): Promise<{ dkim?: { results: { status: { result: string } }[] } }>
}
