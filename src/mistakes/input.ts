import { describeIgnored, describeResponseOnly, type IgnoredInput } from '../http/ignored-input.ts'
import { isSuccess } from '../http/messages.ts'
import { LatestMap } from '../utils/latest-map.ts'
import { plugin } from '../world/entities/plugin.ts'
import type { ClientRequest } from './client-request.ts'
import { type Breach, type ClientRule, readInSource, seenInFramework, Watch } from './rule.ts'

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

export const keyInQuery: ClientRule = {
  id: 'key-in-query',
  sentence: 'A request has its key in the query, and none in the header Authorization.',
  cure: 'Send the key in the header Authorization: Bearer. Addresses are kept in logs, histories and referrers.',
  level: 'note',
  ...readInSource,
}

export const fieldAsFile: ClientRule = {
  id: 'field-as-file',
  sentence:
    'A request to update the source of a plugin wrote a file with the name of a field, such as `name`: the API takes names of files and their texts.',
  cure: 'Send fields in a PATCH of the plugin, and files by their names, such as {"index.ts": "…"}.',
  level: 'note',
  ...readInSource,
}

const pluginFields = plugin.stored.flatMap(({ name, body }) => (body ? [name] : []))

/** What is said of ignored input in other words than those of its rule. */
const ofKind: { readonly [Why in IgnoredInput['why']]?: Pick<Breach, 'cure' | 'level'> } = {
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

const promise: Pick<Breach, 'cure' | 'level'> = {
  cure: 'The API makes no such promise: look for a row before you create it again, and read a row before you change it. Keep the header if a library of yours sends it to all APIs.',
  level: 'note',
}

const withoutOffset = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d([.,]\d+)?)?$/

export class Input extends Watch {
  /** By client: links that it got */
  readonly #links = new LatestMap<string, true>(10_000)

  see(request: ClientRequest): void {
    const { client, page, record } = request
    if (record.ignored.length > 0 && !this.#isFollowed(request)) this.#judge(request)
    for (const link of page ? [page.next, page.previous] : []) {
      if (link !== null) this.#links.set(`${client} ${link}`, true)
    }
    if (request.query.has('personal_api_key') && !record.requestHeaders.get('authorization')) {
      const message = 'The client sent its key in the query.'
      this.report({ rule: keyInQuery, message, requests: [request] })
    }
    if (request.isWrite && isSuccess(request.status)) this.#checkValues(request)
  }

  /** A fault can put anything into a link, which the client follows. */
  #isFollowed({ client, address, query }: ClientRequest): boolean {
    return (
      this.#links.has(`${client} ${address}`) || (this.history.isPartial && query.has('offset'))
    )
  }

  #judge(request: ClientRequest): void {
    const { ignored } = request.record
    const fields = ignored.filter(({ why }) => why === 'response_only')
    if (fields.length > 0) this.#tell(request, describeResponseOnly(fields))
    for (const input of ignored) {
      if (input.why === 'response_only' || input.why === 'lowered') continue
      const text = describeIgnored(input)
      const said = input.in === 'header' ? promise : ofKind[input.why]
      if (!addedOnPurpose.test(text)) this.#tell(request, text, said)
    }
  }

  #tell(request: ClientRequest, text: string, said?: Pick<Breach, 'cure' | 'level'>): void {
    const ignored = request.toLine(text)
    const message = `${request.record.operation} ignores ${ignored}${ignored.endsWith('?') ? '' : '.'}`
    this.report({ rule: ignoredInput, message, ...said, requests: [request] })
  }

  #checkValues(request: ClientRequest): void {
    const { date_marker: time, ...fields } = Object(request.sent)
    const [file] = pluginFields.filter((name) => Object.hasOwn(fields, name))
    // With some settings the response is the plugin, and the fields are its fields.
    const isOfFiles = () => !('id' in Object(request.received))
    if (file && request.record.operation === 'updatePluginSource' && isOfFiles()) {
      const message = `The client wrote a file with the name \`${file}\`, which is a field of plugins.`
      this.report({ rule: fieldAsFile, subject: file, message, requests: [request] })
    }
    if (typeof time !== 'string' || !withoutOffset.test(time)) return
    const message = `The client sent the date_marker ${request.show('date_marker', time)}, without an offset from UTC.`
    this.report({ rule: localTime, subject: 'date_marker', message, requests: [request] })
  }
}
