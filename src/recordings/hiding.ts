import { Hider } from '../secrets/hider.ts'
import type { Aliases } from './aliases.ts'
import { type Personal, personalBy } from './personal.ts'

/** Kinds that are hidden wherever they stand, once known: no word of a language is one of them. */
const everywhere: readonly Personal[] = ['key', 'person', 'secret']

/** Puts aliases in place of what is hidden, and learns on the way what is hidden wherever it stands. */
export function hiderWith(aliases: Aliases): Hider {
  return new Hider({
    named(name) {
      const kind = personalBy(name)
      if (kind === null) return null
      const isEverywhere = everywhere.includes(kind)
      return (value) => {
        if (isEverywhere) aliases.learn(kind, value)
        return aliases.field(kind, value)
      }
    },
    within: (text) => aliases.text(text),
    learned: () => aliases.learned,
    header(secret, scheme, name) {
      const kind = scheme === '' ? 'secret' : 'key'
      const secrets = name.endsWith('cookie') ? cookieValues(name, secret) : [secret]
      for (const one of secrets) aliases.learn(kind, one)
      return aliases.of(kind, secret)
    },
  })
}

/** Of a cookie that is set, the first pair alone is its value. */
function cookieValues(name: string, header: string): string[] {
  const pairs = name === 'cookie' ? header.split(';') : [header.split(';')[0] as string]
  return pairs.map((pair) => pair.slice(pair.indexOf('=') + 1).trim())
}
