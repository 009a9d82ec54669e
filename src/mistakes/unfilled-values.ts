import type { ClientRequest } from './client-request.ts'
import { type ClientRule, seenInFramework, Watch } from './rule.ts'

export const unfilledValue: ClientRule = {
  id: 'unfilled-value',
  title: 'The client sent a value that was not filled in',
  sentence:
    'A request got a 4xx, and a part of its path is `undefined`, `NaN`, `null` or `[object Object]`, or its key is such a word. Or its search, or a text of a row that it writes, is such a word.',
  cure: 'Send the request when the value is there, and show an error if it never comes.',
  level: 'note',
  ...seenInFramework,
}

const unfilledPart = /\/(undefined|NaN|null|(?:\[|%5B)object(?: |%20)Object(?:\]|%5D))(?:\/|$)/
const words: readonly unknown[] = ['undefined', 'NaN', 'null', `${{}}`]
const texts = ['content', 'name', 'description', 'tag', 'icon']

/** Finds values that a program did not have when it built a request. */
export class UnfilledValues extends Watch {
  see(request: ClientRequest): void {
    const message = describe(request)
    if (message !== null) this.report({ rule: unfilledValue, message, requests: [request] })
  }
}

function describe(request: ClientRequest): string | null {
  const { status, record } = request
  const search = record.target.includes('search=') ? request.query.get('search') : undefined
  if (words.includes(search)) return `The client searched for \`${search}\`.`
  const fields = request.isWrite && request.isSentKept ? Object(request.sent) : {}
  const field = texts.find((name) => words.includes(fields[name]))
  if (field) return `The client sent \`${fields[field]}\` as ${field}.`
  return status >= 400 && status < 500 ? describeRefused(request) : null
}

function describeRefused({ path, record, status }: ClientRequest): string | null {
  const [, part] = unfilledPart.exec(path) ?? []
  if (part) return `The client sent ${record.method} to a path with \`${decodeURI(part)}\`.`
  if (status !== 401 && status !== 403) return null
  const [, word] = /^the key is the word (`[^`]+`)/.exec(record.refusal ?? '') ?? []
  return word ? `The client sent the word ${word} as its key.` : null
}
