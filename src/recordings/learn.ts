import { MessageRedactor } from '../secrets/hider.ts'
import type { TextBody } from '../secrets/read-body.ts'
import type { Aliases } from './aliases.ts'
import type { ExchangedMessage } from './exchange.ts'
import { type PersonalDataKind, personalDataKind } from './personal.ts'

/** Kinds that are hidden wherever they stand, once known: no word of a language is one of them. */
const kindsHiddenEverywhere: readonly PersonalDataKind[] = ['key', 'person', 'secret']

/** What stands between a name and its value in an address, in whatever way that is written: most have neither. */
const mayHoldSecrets = /[=%"']/

/** Learns every value that its place says to be a secret: it goes the ways on which secrets are hidden. */
export class SecretCollector {
  readonly #walk: MessageRedactor

  constructor(aliases: Pick<Aliases, 'learn'>) {
    this.#walk = new MessageRedactor({
      maskFor(name) {
        const kind = personalDataKind(name)
        if (kind === null) return null
        return (value) => {
          if (kindsHiddenEverywhere.includes(kind)) aliases.learn(kind, value)
          return value
        }
      },
      redactText: (text) => text,
      secretCount: () => 0,
      maskHeader(secret, scheme, name) {
        if (!name.endsWith('cookie')) aliases.learn(scheme === '' ? 'secret' : 'key', secret)
        else for (const value of cookieValues(name, secret)) aliases.learn('secret', value)
        return secret
      },
    })
  }

  /** Of an address. */
  address(url: string): void {
    if (mayHoldSecrets.test(url)) this.#walk.url(url)
  }

  /** Of any value. */
  json(value: unknown): void {
    this.#walk.json(value)
  }

  /** Of headers and a body. @param text what it is, of a body that is a text */
  message({ headers, body }: ExchangedMessage, text: TextBody | null): void {
    for (const [name, value] of headers) this.#walk.header(name, value)
    if (text) this.#walk.body(text)
    else if (body && 'base64' in body) this.#walk.base64(body.base64)
  }
}

/** Of a cookie that is set, the first pair alone is its value. */
function cookieValues(name: string, header: string): string[] {
  const pairs = name === 'cookie' ? header.split(';') : [header.split(';')[0] as string]
  return pairs.map((pair) => pair.slice(pair.indexOf('=') + 1).trim())
}
