import type { SentMessage } from './exchange.ts'
import { isForm } from './headers.ts'
import { parsed } from './json.ts'
import { type Personal, personalBy, scheme, secretHeaders } from './personal.ts'

/** Who remembers secrets. */
export interface Learner {
  learn(kind: Personal, value: string): void
}

/** Kinds that are hidden wherever they stand, once known: no word of a language is one of them. */
const everywhere: readonly Personal[] = ['key', 'person', 'secret']

/** Tells of every value of a message that its place says to be a secret. */
export function learnFrom({ headers, body }: SentMessage, url: string, learner: Learner): void {
  for (const [name, value] of headers) learnHeader(name.toLowerCase(), value, learner)
  learnPairs(url.split('?')[1] ?? '', learner)
  if (body === null || !('text' in body)) return
  if (isForm(headers)) learnPairs(body.text, learner)
  else learnJson(parsed(body.text)?.value, null, learner)
}

function learnHeader(name: string, value: string, learner: Learner): void {
  if (!secretHeaders.includes(name)) return
  if (name.endsWith('cookie')) {
    // Of a cookie that is set, the first pair alone is its value.
    const pairs = name === 'cookie' ? value.split(';') : [value.split(';')[0] as string]
    for (const pair of pairs) learner.learn('secret', pair.slice(pair.indexOf('=') + 1).trim())
    return
  }
  const before = scheme.exec(value)?.[0] ?? ''
  learner.learn(before === '' ? 'secret' : 'key', value.slice(before.length))
}

function learnPairs(text: string, learner: Learner): void {
  if (text === '') return
  for (const [name, value] of new URLSearchParams(text))
    learnValue(personalBy(name), value, learner)
}

function learnJson(value: unknown, kind: Personal | null, learner: Learner): void {
  if (typeof value === 'string') learnValue(kind, value, learner)
  else if (Array.isArray(value)) for (const item of value) learnJson(item, kind, learner)
  else if (typeof value === 'object' && value !== null) {
    for (const [name, inner] of Object.entries(value)) {
      learnJson(inner, personalBy(name) ?? kind, learner)
    }
  }
}

function learnValue(kind: Personal | null, value: string, learner: Learner): void {
  if (kind && everywhere.includes(kind)) learner.learn(kind, value)
}
