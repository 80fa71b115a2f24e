// Copies a text. A browser may forbid it, or have no clipboard outside of HTTPS.

/** Whether the text was copied. */
export const copyText = async (text: string): Promise<boolean> =>
  (await navigator.clipboard?.writeText(text).then(
    () => true,
    () => false,
  )) ?? false
