import { keyFieldName } from '../http/check.ts'
import { describeIgnored, describeResponseOnly, type IgnoredInput } from '../http/ignored-input.ts'
import { isSuccess } from '../http/messages.ts'
import type { ClientRequest } from './client-request.ts'
import { type ClientRule, readInSource, seenInFramework, Watch, type WatchedRules } from './rule.ts'

const ignoredInput: ClientRule = {
  id: 'ignored-input',
  title: 'The client sent input that the API ignores',
  sentence:
    'A client sent input that the API ignores, except parameters such as `_`. It is a note if another profile reads it, for fields of responses with the `id` of the row, or for a header such as `If-Match`.',
  cure: 'Leave it out, or send a name and a value that the documentation lists.',
  level: 'warning',
  ...seenInFramework,
}

const localTime: ClientRule = {
  id: 'local-time',
  title: 'The client sent a time without an offset from UTC',
  sentence:
    'A new time of day has no offset from UTC, and the API reads it as UTC. It is a note if an update has the digits of the time before it, with another offset or as a mere date.',
  cure: 'Send times in UTC with Z, or with their offset, such as +02:00.',
  level: 'warning',
  ...seenInFramework,
}

const malformedValue: ClientRule = {
  id: 'malformed-value',
  title: 'The client sent a malformed value',
  sentence:
    'A text, search, key or part of a path with a 4xx is `undefined`, `NaN`, `null` or `[object Object]`, a text or search is encoded twice, text is around a key, JSON is a text, or a time in January 1970.',
  cure: 'Send the request when the value is there, encoded once, and in the type and unit of its field.',
  level: 'note',
  ...seenInFramework,
}

const exposedKey: ClientRule = {
  id: 'exposed-key',
  title: 'The client sent a key where others can read it',
  sentence:
    'A URL contains the parameter `personal_api_key` or the key of the client, or the body of a write contains that key. Without the parameter, it is found if it begins with `phx_`.',
  cure: 'Send the key in the header Authorization only. Logs have URLs, and others read rows.',
  level: 'note',
  ...readInSource,
}

/** What is said of ignored input in other words than those of its rule. */
const ofKind: { readonly [Why in IgnoredInput['why']]?: Partial<ClientRule> } = {
  json_as_form: { cure: 'Set the header Content-Type: application/json.' },
  // A correct client of the service can need it.
  other_profile: {
    cure: 'If your service is as that profile says, choose that profile. Else remove the input.',
    level: 'note',
  },
}

/** Parameters that clients add on purpose, so that no cache answers, or visits are counted. */
const addedOnPurpose =
  /^\?(?:_|_?ts?|cb|rnd|rand|nocache|no_cache|cache_?bust(?:er)?|cacheBuster|timestamp|utm_\w+)$/

const promise: Partial<ClientRule> = {
  cure: 'The API ignores this header. Look for a row before you create it again, read a row before you change it, and send the real method. Keep the header if a library sends it to every API.',
  level: 'note',
}

const copiedRow = { cure: 'To change a row, send PATCH to its path: POST creates another one.' }

/** What follows the `&` of a value, as in `search=R&D starts` */
const restOfValue = { cure: 'Encode each & in a value as %26: it begins another parameter.' }

const withoutOffset = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d([.,]\d+)?)?$/

const unfilledPart = /\/(undefined|NaN|null|(?:\[|%5B)object(?: |%20)Object(?:\]|%5D))(?:\/|$)/
const unfilledText = /^(?:undefined|NaN|null)$|\[object Object\]/
const brokenKey = /^40[13]: (?:the key is (?:the word|a placeholder)|there is text around) /
const texts = ['content', 'name', 'description', 'tag', 'icon']
const structures = ['config_schema', 'capabilities', 'metrics', 'public_jobs']

/** An escaped `&` before the name of a character, and UTF-8 that was read as Latin-1 */
const encodedTwice = /&amp;(?:amp|lt|gt|quot|#39);|\u00c3[\u0080-\u00bf]/
/** Parts of a URL, of which a text can have a whole one */
const encodedSearch = /%(?:2[\dA-F]|[CE][\dA-F]%)/i

/** Finds values that the API reads otherwise than the client means them. */
class Input extends Watch {
  see(request: ClientRequest): void {
    // A fault can put anything into a link, which the client follows.
    if (request.record.ignored.length > 0 && !this.history.isFollowed(request)) this.#judge(request)
    if (request.isWrite && isSuccess(request.status)) this.#checkTime(request)
    this.#report(malformedValue, request, describeMalformed(request))
    this.#report(exposedKey, request, describeExposedKey(request))
  }

  #report(rule: ClientRule, request: ClientRequest, text: string | null) {
    if (text) this.report({ rule, message: request.toLine(text), requests: [request] })
  }

  #judge(request: ClientRequest) {
    const { record, row, sent, verb } = request
    const { ignored } = record
    const fields = ignored.filter(({ why }) => why === 'response_only')
    const isWholeRow = row !== null && sent.id === row.id
    const isCopy = verb === 'create' && fields.some(({ name }) => name === 'id')
    const traits = isWholeRow ? { level: 'note' as const } : isCopy ? copiedRow : {}
    if (fields.length > 0) this.#tell(request, describeResponseOnly(fields), traits)
    for (const input of ignored) {
      // `exposed-key` is about a key in the query, which the live service reads there.
      const isKey = input.in === 'query' && input.name === keyFieldName
      if (isKey || input.why === 'response_only' || input.why === 'lowered') continue
      const text = describeIgnored(input)
      const ofPlace = input.in === 'header' ? promise : ofKind[input.why]
      const traits = text.startsWith('?') && input.name.includes(' ') ? restOfValue : ofPlace
      if (!addedOnPurpose.test(text)) this.#tell(request, text, traits)
    }
  }

  #tell(request: ClientRequest, text: string, traits?: Partial<ClientRule>) {
    const ignored = request.toLine(text)
    const message = `${request.record.operation} ignores ${ignored}${ignored.endsWith('?') ? '' : '.'}`
    this.report({ rule: ignoredInput, message, ...traits, requests: [request] })
  }

  #checkTime(request: ClientRequest) {
    const { date_marker: time } = request.sent
    if (typeof time !== 'string' || time.endsWith('Z')) return
    const [before, after] = request.changes[0]?.valuesOf('date_marker') ?? []
    // A client that sends the time of the row back knows that it is in UTC.
    if (request.isUpdate && after === undefined) return
    const shown = request.show('date_marker', time)
    const about = { rule: localTime, subject: 'date_marker', requests: [request] }
    if (withoutOffset.test(time)) {
      const message = `The client sent the date_marker ${shown}, without an offset from UTC.`
      this.report({ ...about, message })
    } else if (String(before).startsWith(/^[\d-]{10}(?:T[\d:]+)?/.exec(time)?.[0] ?? '?')) {
      const how = time.length === 10 ? 'without the time of day' : 'with the same digits'
      const message = `The client changed the date_marker from ${request.show('date_marker', before)} to ${shown}, ${how}.`
      const cure = 'Send the time as you read it, or convert its digits, too.'
      this.report({ ...about, level: 'note', message, cure })
    }
  }
}

export const inputRules: WatchedRules = {
  Watch: Input,
  rules: [ignoredInput, localTime, malformedValue, exposedKey],
}

/** Finds a key that others can read: logs have URLs, and responses have the texts of rows. */
function describeExposedKey(request: ClientRequest): string | null {
  const { client, isWrite, record } = request
  const { target } = record
  const isKey = client.startsWith('phx_')
  const isInUrl = target.includes(`${keyFieldName}=`) || (isKey && target.includes(client))
  const hasKey = ([, value]: readonly [string, unknown]) =>
    (typeof value === 'string' ? value : JSON.stringify(value))?.includes(client)
  const [field] = (isKey && isWrite && Object.entries(request.sent).find(hasKey)) || []
  return isInUrl || field ? `The client sent a key in ${isInUrl ? 'the URL' : field}.` : null
}

function describeMalformed(request: ClientRequest): string | null {
  const { status, search } = request
  if (unfilledText.test(search)) return `The client searched for \`${search}\`.`
  if (encodedSearch.test(search)) return 'The client searched for a text that was encoded twice.'
  const broken = request.isWrite ? describeBroken(request.sent) : null
  if (broken !== null) return broken
  return status >= 400 && status < 500 ? describeRefusedWord(request) : null
}

/** Which fields can hold a broken text, the pattern that finds it, and the message about it. */
const brokenTexts: readonly [
  names: readonly string[],
  form: RegExp,
  tell: (name: string, part: string) => string,
][] = [
  [texts, unfilledText, (name, part) => `The client sent \`${part}\` in ${name}.`],
  [
    texts,
    encodedTwice,
    (name, part) => `The client sent \`${part}\` in ${name}, a character that was encoded twice.`,
  ],
  [structures, /^\s*[[{]/, (name) => `The client sent ${name} as a text of JSON.`],
  [
    ['date_marker'],
    /^1970-01-/,
    (name) =>
      `The client sent a ${name} in January 1970: a time of 0, or seconds for milliseconds.`,
  ],
]

/** Describes a value that is missing, or was built for another place. */
function describeBroken(fields: Readonly<Record<string, unknown>>): string | null {
  for (const [names, form, tell] of brokenTexts)
    for (const name of names) {
      const value = fields[name]
      const match = typeof value === 'string' && form.exec(value)
      if (match) return tell(name, match[0])
    }
  return null
}

function describeRefusedWord({ path, record, reason }: ClientRequest): string | null {
  const [, part] = unfilledPart.exec(path) ?? []
  if (part) return `The client sent ${record.method} to a path with \`${decodeURI(part)}\`.`
  return brokenKey.test(reason) ? `The client sent a broken key. It got ${reason}.` : null
}
