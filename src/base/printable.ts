// Pure. Text from strangers for a terminal: nodes, tokens and mail servers write what they like into what we print.

/** Controls but tab and line feed, and what turns the direction of text: a stranger's text must not move the cursor. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern removes them
const CONTROL = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g

/** The text without what a terminal obeys. */
export const toPrintable = (text: string): string => text.replace(CONTROL, '\ufffd')
