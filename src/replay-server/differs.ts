import { differencesIn } from '../differences.ts'
import type { Redactor } from '../journal/redact.ts'
import { show } from '../usage-error.ts'
import { pathText } from '../world/faults.ts'
import type { Asked } from './asked.ts'
import type { Pair, Wanted } from './wanted.ts'

/** Whether a request is a recorded one, as far as that says what it is. */
export function isSame(wanted: Wanted, asked: Asked): boolean {
  return (
    wanted.method === asked.method &&
    wanted.path === asked.path &&
    wanted.query.length === asked.query.length &&
    wanted.query.every(([name, value], at) => {
      const [otherName, otherValue] = asked.query[at] as Pair
      return name === otherName && value === otherValue
    }) &&
    (wanted.key === undefined || wanted.key === asked.key) &&
    Object.entries(wanted.headers).every(([name, value]) => asked.header(name) === value) &&
    hasBody(wanted, asked)
  )
}

function hasBody({ body }: Pick<Wanted, 'body'>, asked: Asked): boolean {
  if ('base64' in body) return body.base64 === asked.base64()
  if ('text' in body) return body.text === asked.text
  return differencesIn(body.value, asked.body, { isWhole: true }).length === 0
}

/** In what a request differs from a recorded one, a line for each place, without keys. */
export function differsIn(wanted: Wanted, asked: Asked, redactor: Redactor): string[] {
  const line = (place: string, expected: string, got: string): string[] =>
    expected === got ? [] : [`${place}: expected ${expected}, got ${got}`]
  return [
    ...line('method', wanted.method, asked.method),
    ...line('path', redactor.path(wanted.path), redactor.path(asked.path)),
    ...queryLines(wanted.query, asked.query, redactor),
    ...(wanted.key === undefined ? [] : line('key', shownKey(wanted.key), shownKey(asked.key))),
    ...Object.entries(wanted.headers).flatMap(([name, value]) =>
      value === asked.header(name) ? [] : headerLine(name, value, asked.header(name), redactor),
    ),
    ...bodyLines(wanted, asked, redactor),
  ]
}

function shownKey(label: string | null | undefined): string {
  return label === null
    ? 'no key'
    : label === undefined
      ? 'one that the world does not have'
      : label
}

function queryLines(wanted: readonly Pair[], asked: readonly Pair[], redactor: Redactor): string[] {
  const names = [...new Set([...wanted, ...asked].map(([name]) => name))]
  const shownValue = (pairs: readonly Pair[], name: string): unknown => {
    const values = pairs.filter(([other]) => other === name).map(([, value]) => value)
    return values.length > 1 ? values : values[0]
  }
  return names.flatMap((name) => {
    const [expected, got] = [shownValue(wanted, name), shownValue(asked, name)].map((value) =>
      show(redactor.part(value, [name])),
    )
    return expected === got ? [] : [`query.${name}: expected ${expected}, got ${got}`]
  })
}

function headerLine(
  name: string,
  expected: string,
  got: string | null,
  redactor: Redactor,
): string[] {
  const shown = (value: string | null): string =>
    value === null ? 'nothing' : show(redactor.headers([[name, value]])[name])
  return [`headers.${name}: expected ${shown(expected)}, got ${shown(got)}`]
}

function bodyLines({ body }: Wanted, asked: Asked, redactor: Redactor): string[] {
  if ('base64' in body) {
    return hasBody({ body }, asked) ? [] : ['body: expected other bytes than those that came']
  }
  const wanted = 'text' in body ? body.text || undefined : body.value
  const given = 'text' in body ? asked.text || undefined : asked.body
  return differencesIn(wanted, given, { isWhole: true }).map(
    ({ path, expected, got, inLength }) => {
      const place = redactor.text(pathText(['body', ...path]))
      const [wants, has] = [expected, got].map((value) =>
        inLength ? `${(value as unknown[]).length} items` : show(redactor.part(value, path)),
      )
      return `${place}: expected ${wants}, got ${has}`
    },
  )
}
