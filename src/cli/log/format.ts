/** How requests are logged. */
export type LogFormat = 'text' | 'json'

/** The names of the formats. */
export const logFormats: readonly LogFormat[] = ['text', 'json']
