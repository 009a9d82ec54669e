import { describeIgnored, describeResponseOnly, type IgnoredInput } from '../http/ignored-input.ts'
import { isSuccess } from '../http/messages.ts'
import { LatestMap } from '../utils/latest-map.ts'
import type { ClientRequest } from './client-request.ts'
import { type Breach, type ClientRule, type History, seenInFramework, type Watch } from './rule.ts'

export const ignoredInput: ClientRule = {
  id: 'ignored-input',
  sentence:
    'A request has a field or a parameter that the API ignores, such as a field that only responses have. It is a note if another profile reads it, or if it is a header such as `Idempotency-Key` or `If-Match`. Not reported: a parameter that only goes round caches or counts visits, such as `_` or `utm_source`.',
  cure: 'Leave it out, or send a name and a value that the documentation lists.',
  level: 'warning',
  ...seenInFramework,
}

export const localTime: ClientRule = {
  id: 'local-time',
  sentence: 'A time has no offset from UTC, and the API reads it as UTC.',
  cure: 'Send times in UTC with Z, or with their offset, such as +02:00.',
  level: 'warning',
  ...seenInFramework,
}

/** What is said of ignored input in other words than those of its rule. */
const ofKind: { readonly [Why in IgnoredInput['why']]?: Said } = {
  json_as_form: { cure: 'Set the header Content-Type: application/json.' },
  // A correct client of the service can need it.
  other_profile: {
    cure: 'If your service is as that profile says, choose it, such as by --profile live. Else remove it.',
    level: 'note',
  },
}

/** Parameters that clients add on purpose, so that no cache answers, or visits are counted. */
const addedOnPurpose =
  /^\?(?:_|_?ts?|cb|rnd|rand|nocache|no_cache|cache_?bust(?:er)?|cacheBuster|timestamp|utm_\w+)$/

const promise: Said = {
  cure: 'The API makes no such promise: look for a row before you create it again, and read a row before you change it. Keep the header if a library of yours sends it to all APIs.',
  level: 'note',
}

const withoutOffset = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d([.,]\d+)?)?$/

/** How many requests of a mistake are kept, and how many mistakes. */
const limits = { requests: 1_000, messages: 1_000 }

export class Input implements Watch {
  readonly #history: History
  /** By client: links that it got */
  readonly #links = new LatestMap<string, true>(10_000)
  /** By message */
  readonly #ignored = new Map<string, Found>()
  readonly #local: Breach[] = []

  constructor(history: History) {
    this.#history = history
  }

  see(request: ClientRequest): void {
    const { client, page } = request
    if (request.record.ignored.length > 0 && !this.#isFollowed(request)) {
      for (const [message, said] of messagesOf(request)) this.#add(message, said, request)
    }
    for (const link of page ? [page.next, page.previous] : []) {
      if (link !== null) this.#links.set(`${client} ${link}`, true)
    }
    if (isSuccess(request.status)) this.#checkTime(request)
  }

  breaches(): readonly Breach[] {
    const ignored = [...this.#ignored].map(([message, { said, requests }]) => {
      return { rule: ignoredInput, message, ...said, requests, times: requests.length }
    })
    return [...ignored, ...this.#local]
  }

  /** A fault can put anything into a link, which the client follows. */
  #isFollowed({ client, address, query }: ClientRequest): boolean {
    return (
      this.#links.has(`${client} ${address}`) || (this.#history.isPartial && query.has('offset'))
    )
  }

  #add(message: string, said: Said, request: ClientRequest): void {
    const found = this.#ignored.get(message) ?? { said, requests: [] }
    if (found.requests.length < limits.requests) found.requests.push(request)
    if (this.#ignored.size < limits.messages) this.#ignored.set(message, found)
  }

  #checkTime(request: ClientRequest): void {
    const { date_marker: time } = Object(request.sent)
    if (typeof time !== 'string' || !withoutOffset.test(time)) return
    if (this.#local.length >= limits.requests) return
    const message = `The client sent the date_marker ${request.show('date_marker', time)}, without an offset from UTC.`
    this.#local.push({ rule: localTime, subject: 'date_marker', message, requests: [request] })
  }
}

type Said = Pick<Breach, 'cure' | 'level'>

interface Found {
  readonly said: Said
  readonly requests: ClientRequest[]
}

function messagesOf(request: ClientRequest): [message: string, said: Said][] {
  const { ignored, operation } = request.record
  const fields = ignored.filter(({ why }) => why === 'response_only')
  const others = ignored.filter(({ why }) => why !== 'response_only' && why !== 'lowered')
  const texts: [text: string, said: Said][] = [
    ...(fields.length > 0 ? [[describeResponseOnly(fields), {}] as [string, Said]] : []),
    ...others.map((input): [string, Said] => {
      return [describeIgnored(input), input.in === 'header' ? promise : (ofKind[input.why] ?? {})]
    }),
  ].filter(([text]) => !addedOnPurpose.test(text))
  return texts.map(([text, said]) => [
    `${operation} ignores ${request.toLine(text)}`.replace(/(?<!\?)$/, '.'),
    said,
  ])
}
