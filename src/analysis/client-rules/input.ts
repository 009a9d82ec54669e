import { keyFieldName } from '../../http/authorize.ts'
import type { JournalEntry } from '../../sandbox/journal/entry.ts'
import { isLoweredLimit, responseOnlyNote } from '../../sandbox/journal/ignored-input.ts'
import type { ClientRequest } from './client-request.ts'
import {
  type ClientRule,
  documented,
  type ReportMistake,
  type RequestWatcher,
  seenInFramework,
} from './rule.ts'

export const ignoredInput: ClientRule = {
  id: 'ignored-input',
  sentence: 'A request has a field or a parameter that the API ignores.',
  cure: 'Remove it, or use the name that the documentation lists.',
  level: 'warning',
  ...seenInFramework,
}

export const responseOnlyField: ClientRule = {
  id: 'response-only-field',
  sentence: 'The body of a request has a field that only responses have.',
  cure: 'Send only the fields that you change, not the whole row.',
  level: 'warning',
  ...documented('in request bodies: no; appears in responses only'),
}

export const swappedId: ClientRule = {
  id: 'swapped-id',
  sentence: 'A path has a project id in place of an organization id, or the reverse.',
  cure: 'Take the organization of a project from GET /api/projects/, or use @current.',
  level: 'warning',
  ...documented(
    'organization_id: UUID format; the project identifier is obtained from /api/projects/',
  ),
}

export const keyInQuery: ClientRule = {
  id: 'key-in-query',
  sentence: 'The URL of a request has a key, which logs, proxies and histories keep.',
  cure: 'Send the key in the header Authorization, after the word Bearer.',
  level: 'warning',
  ...documented('each request carries the header Authorization with the value Bearer'),
}

/** Finds requests with input that has no effect, or that cannot be right. */
export class InputWatcher implements RequestWatcher {
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
