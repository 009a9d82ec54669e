import type { ClientRequest, RequestTrace } from './client-request.ts'
import {
  type ClientRule,
  documented,
  RecentMap,
  type ReportMistake,
  type RequestWatcher,
  seenInFramework,
} from './rule.ts'

export const zeroTime: ClientRule = {
  id: 'zero-time',
  sentence: 'date_marker is on the first day of the year 1, as a Go time that was never set.',
  cure: 'Leave the field out.',
  level: 'error',
  evidence: 'assumed',
  source: 'a guess: a time in the year 1 is hardly meant',
}

export const localTime: ClientRule = {
  id: 'local-time',
  sentence: 'A time has no offset from UTC, and the API reads it as UTC.',
  cure: 'Send times in UTC with Z, or with their offset, such as +02:00.',
  level: 'warning',
  ...seenInFramework,
}

export const textForBoolean: ClientRule = {
  id: 'text-for-boolean',
  sentence: 'A boolean field was refused because it had a text, and the client did not correct it.',
  cure: 'Send true or false, and look at the status of the response.',
  level: 'error',
  ...documented('deleted: boolean; is_global: boolean'),
}

export const misspelledValue: ClientRule = {
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
export class ValueWatcher implements RequestWatcher {
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
