import { keyFieldName } from '../../http/authorize.ts'
import type { JournalEntry } from '../../sandbox/journal/entry.ts'
import { isLoweredLimit, responseOnlyNote } from '../../sandbox/journal/ignored-input.ts'
import {
  type ClientRequest,
  type ClientRule,
  documented,
  RecentMap,
  type ReportMistake,
  type RequestTrace,
  type RequestWatcher,
  type RuleGroup,
  seenInFramework,
} from './rule.ts'

const ignoredInput: ClientRule = {
  id: 'ignored-input',
  sentence: 'A request has a field or a parameter that the API ignores.',
  cure: 'Remove it, or use the name that the documentation lists.',
  level: 'warning',
  ...seenInFramework,
}

const responseOnlyField: ClientRule = {
  id: 'response-only-field',
  sentence: 'The body of a request has a field that only responses have.',
  cure: 'Send only the fields that you change, not the whole row.',
  level: 'warning',
  ...documented('in request bodies: no; appears in responses only'),
}

const swappedId: ClientRule = {
  id: 'swapped-id',
  sentence: 'A path has a project id in place of an organization id, or the reverse.',
  cure: 'Take the organization of a project from GET /api/projects/, or use @current.',
  level: 'warning',
  ...documented(
    'organization_id: UUID format; the project identifier is obtained from /api/projects/',
  ),
}

const keyInQuery: ClientRule = {
  id: 'key-in-query',
  sentence: 'The URL of a request has a key, which logs, proxies and histories keep.',
  cure: 'Send the key in the header Authorization, after the word Bearer.',
  level: 'warning',
  ...documented('each request carries the header Authorization with the value Bearer'),
}

/** Finds requests with input that has no effect, or that cannot be right. */
class InputWatcher implements RequestWatcher {
  add({ entry, path, trace }: ClientRequest, report: ReportMistake): void {
    const fields = entry.ignored.filter((input) => input.endsWith(responseOnlyNote))
    if (fields.length > 0) {
      const names = fields.map((input) => input.slice(0, -responseOnlyNote.length)).join(', ')
      const message = `${entry.operation} ignores ${names}${responseOnlyNote}.`
      report(responseOnlyField, message, message, [trace])
    }
    const others = entry.ignored.filter((each) => !fields.includes(each) && !isLoweredLimit(each))
    for (const input of others) {
      const message = `${entry.operation} ignores ${input}`.replace(/(?<!\?)$/, '.')
      report(ignoredInput, message, message, [trace])
    }
    if (keyFieldName in entry.query) {
      const message = `The query has the parameter ${keyFieldName}.`
      report(keyInQuery, message, message, [trace])
    }
    const mistake = findSwappedId(entry, path)
    if (mistake) report(swappedId, mistake, mistake, [trace])
  }
}

const uuid = '[0-9a-f]{8}-?([0-9a-f]{4}-?){3}[0-9a-f]{12}'
const projectAsOrganization = /^\/api\/organizations\/(\d+)(\/|$)/
const organizationAsProject = new RegExp(`^/api/projects/(${uuid})(/|$)`, 'i')

function findSwappedId({ response }: JournalEntry, path: string): string | null {
  if (response.status < 400) return null
  const number = projectAsOrganization.exec(path)?.[1]
  if (number !== undefined) {
    return `/api/organizations/${number} has a number, as projects have. The id of an organization is a UUID.`
  }
  const id = organizationAsProject.exec(path)?.[1]
  return id === undefined
    ? null
    : `/api/projects/${id} has a UUID, as organizations have. The id of a project is a number.`
}

const zeroTime: ClientRule = {
  id: 'zero-time',
  sentence: 'date_marker is on the first day of the year 1, as a Go time that was never set.',
  cure: 'Leave the field out.',
  level: 'error',
  evidence: 'assumed',
  source: 'a guess: a time in the year 1 is hardly meant',
}

const localTime: ClientRule = {
  id: 'local-time',
  sentence: 'A time has no offset from UTC, and the API reads it as UTC.',
  cure: 'Send times in UTC with Z, or with their offset, such as +02:00.',
  level: 'warning',
  ...seenInFramework,
}

const textForBoolean: ClientRule = {
  id: 'text-for-boolean',
  sentence: 'A boolean field was refused because it had a text, and the client did not correct it.',
  cure: 'Send true or false, and look at the status of the response.',
  level: 'error',
  ...documented('deleted: boolean; is_global: boolean'),
}

const misspelledValue: ClientRule = {
  id: 'misspelled-value',
  sentence:
    'A value was refused that differs from an allowed one in a letter or two, or in capitals, and the client did not correct it.',
  cure: 'Send the allowed value, and look at the status of the response.',
  level: 'error',
  evidence: 'observed',
  source: "seen in the live service's API schema",
}

const booleanFields = ['deleted', 'is_global']
const zero = /^0001-01-01/
const withoutOffset = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d([.,]\d+)?)?$/

interface RefusedValue {
  readonly rule: ClientRule
  readonly message: string
  readonly trace: RequestTrace
}

/** Finds values that the API refuses, or reads in another way than the client means. */
class ValueWatcher implements RequestWatcher {
  /** By client, address and field. A later request without the mistake corrects it */
  readonly #refused = new RecentMap<RefusedValue>(1_000)

  add(request: ClientRequest, report: ReportMistake): void {
    const { entry, trace } = request
    const { date_marker: time } = Object(entry.request.body)
    if (typeof time === 'string') {
      const { status, body } = entry.response
      const isAccepted = status >= 200 && status < 300
      const isRefused = status === 400 && Object(body).attr === 'date_marker'
      const message = `The client sent the date_marker ${time}.`
      if (zero.test(time)) {
        if (isAccepted || isRefused) report(zeroTime, message, message, [trace])
      } else if (isAccepted && withoutOffset.test(time)) report(localTime, '', message, [trace])
    }
    this.#watchRefusal(request)
  }

  reportOpen(report: ReportMistake): void {
    for (const { rule, message, trace } of this.#refused.values()) {
      report(rule, message, message, [trace])
    }
  }

  #watchRefusal({ entry, client, address, trace }: ClientRequest): void {
    const { request, response, meant, method } = entry
    const key = `${client} ${method} ${address}`
    if (response.status === 200 || response.status === 201) {
      for (const field of Object.keys(Object(request.body))) this.#refused.delete(`${key} ${field}`)
      return
    }
    const { attr: field } = Object(response.body)
    if (response.status !== 400 || typeof field !== 'string') return
    const value = Object(request.body)[field]
    const shown = JSON.stringify(value)
    if (meant !== undefined) {
      const message = `The API refused the ${field} ${shown}, and the client did not send ${meant}.`
      this.#refused.set(`${key} ${field}`, { rule: misspelledValue, message, trace })
    } else if (booleanFields.includes(field) && typeof value === 'string') {
      const message = `The API refused ${field}: ${shown}, and the client did not send a boolean.`
      this.#refused.set(`${key} ${field}`, { rule: textForBoolean, message, trace })
    }
  }
}

export const inputRules: RuleGroup = {
  rules: [
    ignoredInput,
    responseOnlyField,
    swappedId,
    keyInQuery,
    zeroTime,
    localTime,
    textForBoolean,
    misspelledValue,
  ],
  watch: () => [new InputWatcher(), new ValueWatcher()],
}
