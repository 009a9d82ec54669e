import type { SentMessage } from '../recordings/exchange.ts'

/** The value of the first header of a name, in small letters; undefined where there is none. */
export function headerOf(headers: SentMessage['headers'], name: string): string | undefined {
  return headers.find(([given]) => given.toLowerCase() === name)?.[1]
}
