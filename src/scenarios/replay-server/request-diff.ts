import type { KeyRedactor } from '../../sandbox/journal/key-redactor.ts'
import { diffValues } from '../../utils/diff.ts'
import { formatIssuePath } from '../../utils/schema-issues.ts'
import { inspectValue } from '../../utils/usage-error.ts'
import type { IncomingRequest, QueryPair, RequestCriteria } from './request.ts'

/** Whether a request is a recorded one, as far as that says what it is. */
export function meetsCriteria(wanted: RequestCriteria, asked: IncomingRequest): boolean {
  return (
    wanted.method === asked.method &&
    wanted.path === asked.path &&
    wanted.query.length === asked.query.length &&
    wanted.query.every(([name, value], at) => {
      const [otherName, otherValue] = asked.query[at] as QueryPair
      return name === otherName && value === otherValue
    }) &&
    (wanted.key === undefined || wanted.key === asked.key) &&
    Object.entries(wanted.headers).every(([name, value]) => asked.header(name) === value) &&
    matchesBody(wanted, asked)
  )
}

function matchesBody({ body }: Pick<RequestCriteria, 'body'>, asked: IncomingRequest): boolean {
  if ('base64' in body) return body.base64 === asked.base64()
  if ('text' in body) return body.text === asked.text
  return diffValues(body.value, asked.body, { isExact: true }).length === 0
}

/** In what a request differs from a recorded one, a line for each place, without keys. */
export function diffRequest(
  wanted: RequestCriteria,
  asked: IncomingRequest,
  redactor: KeyRedactor,
): string[] {
  const line = (place: string, expected: string, got: string): string[] =>
    expected === got ? [] : [`${place}: expected ${expected}, got ${got}`]
  return [
    ...line('method', wanted.method, asked.method),
    ...line('path', redactor.path(wanted.path), redactor.path(asked.path)),
    ...diffQuery(wanted.query, asked.query, redactor),
    ...(wanted.key === undefined ? [] : line('key', formatKey(wanted.key), formatKey(asked.key))),
    ...Object.entries(wanted.headers).flatMap(([name, value]) =>
      value === asked.header(name) ? [] : diffHeader(name, value, asked.header(name), redactor),
    ),
    ...diffBody(wanted, asked, redactor),
  ]
}

function formatKey(label: string | null | undefined): string {
  return label === null
    ? 'no key'
    : label === undefined
      ? 'one that the world does not have'
      : label
}

function diffQuery(
  wanted: readonly QueryPair[],
  asked: readonly QueryPair[],
  redactor: KeyRedactor,
): string[] {
  const names = [...new Set([...wanted, ...asked].map(([name]) => name))]
  const shownValue = (pairs: readonly QueryPair[], name: string): unknown => {
    const values = pairs.filter(([other]) => other === name).map(([, value]) => value)
    return values.length > 1 ? values : values[0]
  }
  return names.flatMap((name) => {
    const [expected, got] = [shownValue(wanted, name), shownValue(asked, name)].map((value) =>
      inspectValue(redactor.part(value, [name])),
    )
    return expected === got ? [] : [`query.${name}: expected ${expected}, got ${got}`]
  })
}

function diffHeader(
  name: string,
  expected: string,
  got: string | null,
  redactor: KeyRedactor,
): string[] {
  const shown = (value: string | null): string =>
    value === null ? 'nothing' : inspectValue(redactor.headers([[name, value]])[name])
  return [`headers.${name}: expected ${shown(expected)}, got ${shown(got)}`]
}

function diffBody(
  { body }: RequestCriteria,
  asked: IncomingRequest,
  redactor: KeyRedactor,
): string[] {
  if ('base64' in body) {
    return matchesBody({ body }, asked) ? [] : ['body: expected other bytes than those that came']
  }
  const wanted = 'text' in body ? body.text || undefined : body.value
  const given = 'text' in body ? asked.text || undefined : asked.body
  return diffValues(wanted, given, { isExact: true }).map(({ path, expected, got, inLength }) => {
    const place = redactor.text(formatIssuePath(['body', ...path]))
    const [wants, has] = [expected, got].map((value) =>
      inLength ? `${(value as unknown[]).length} items` : inspectValue(redactor.part(value, path)),
    )
    return `${place}: expected ${wants}, got ${has}`
  })
}
