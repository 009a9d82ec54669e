import type { ExchangedMessage } from '../recordings/exchange.ts'
import type { HarPair } from './archive.ts'

/** The cookies that stand in headers, by name and value. */
export function parseCookies(
  headers: ExchangedMessage['headers'],
  header: 'cookie' | 'set-cookie',
): HarPair[] {
  return headers
    .filter(([name]) => name.toLowerCase() === header)
    .flatMap(([, value]) => (header === 'cookie' ? value.split(';') : [value.split(';')[0] ?? '']))
    .map((text) => text.trim())
    .filter((text) => text !== '')
    .map((text) => {
      const at = text.indexOf('=')
      return at < 0
        ? { name: '', value: text }
        : { name: text.slice(0, at), value: text.slice(at + 1) }
    })
}
