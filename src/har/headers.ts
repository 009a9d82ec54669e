import type { ExchangedMessage } from '../recordings/exchange.ts'

/** The value of the first header of a name, in small letters; undefined where there is none. */
export function findHeader(headers: ExchangedMessage['headers'], name: string): string | undefined {
  return headers.find(([given]) => given.toLowerCase() === name)?.[1]
}
