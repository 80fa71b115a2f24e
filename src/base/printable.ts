// Pure. Makes text from strangers safe for a terminal: nodes, tokens and mail servers can put any characters into our
// output.

/**
 * Control characters except tab and line feed, and characters that change the direction of text: a stranger's text must
 * not move the cursor.
 */
// biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern removes them
const CONTROL = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g

/** The text without the characters that a terminal executes. */
export const toPrintable = (text: string): string => text.replace(CONTROL, '\ufffd')
