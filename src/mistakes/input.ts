import { isLoweredLimit, responseOnlyNote } from '../http/ignored-input.ts'
import {
  type Breach,
  type CheckedRule,
  type ClientRequest,
  type ClientRule,
  seenInFramework,
} from './rule.ts'

const ignoredInput: ClientRule = {
  id: 'ignored-input',
  sentence:
    'A request has a field or a parameter that the API ignores, such as a field that only responses have.',
  cure: 'Remove it, or use the name that the documentation lists.',
  level: 'warning',
  ...seenInFramework,
}

function findIgnoredInput(requests: readonly ClientRequest[]): Breach[] {
  const links = new Set<string | null>()
  return requests.flatMap((request) => {
    const { client, address, page } = request
    // A fault can put anything into a link, which the client follows.
    const isLinked = links.has(`${client} ${address}`)
    for (const link of page ? [page.next, page.previous] : []) links.add(`${client} ${link}`)
    if (isLinked) return []
    const { ignored, operation } = request.entry
    const fields = ignored.filter((input) => input.endsWith(responseOnlyNote))
    const others = ignored.filter((each) => !fields.includes(each) && !isLoweredLimit(each))
    const names = fields.map((input) => input.slice(0, -responseOnlyNote.length)).join(', ')
    const inputs = [...(names && [names + responseOnlyNote]), ...others]
    return inputs.map((input) => ({
      message: `${operation} ignores ${input}`.replace(/(?<!\?)$/, '.'),
      requests: [request],
    }))
  })
}

const localTime: ClientRule = {
  id: 'local-time',
  sentence: 'A time has no offset from UTC, and the API reads it as UTC.',
  cure: 'Send times in UTC with Z, or with their offset, such as +02:00.',
  level: 'warning',
  ...seenInFramework,
}

const withoutOffset = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d([.,]\d+)?)?$/

function findLocalTimes(requests: readonly ClientRequest[]): Breach[] {
  return requests.flatMap((request) => {
    const { date_marker: time } = Object(request.entry.request.body)
    const { status } = request.entry.response
    const isAccepted = status >= 200 && status < 300
    if (!isAccepted || typeof time !== 'string' || !withoutOffset.test(time)) return []
    const message = `The client sent the date_marker ${time}.`
    return [{ subject: 'date_marker', message, requests: [request] }]
  })
}

export const inputRules: readonly CheckedRule[] = [
  { rule: ignoredInput, find: findIgnoredInput },
  { rule: localTime, find: findLocalTimes },
]
