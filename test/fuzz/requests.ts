import type { Random } from '../support/random.ts'
import type { FuzzDocument, Operation, Parameter } from './document.ts'
import { hostileText, hostileValue, Members, mutate, toText, toValue } from './hostile-values.ts'

export interface FuzzRequest {
  /** The operation that the request reaches for sure, or null if it can reach another, or none */
  readonly operation: Operation | null
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: Uint8Array | null
}

const utf8 = new TextEncoder()
const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'STEAL']

const types = [
  'application/json; charset=utf-8',
  'application/json; charset=utf-16',
  'application/json; charset=nothing',
  'application/x-www-form-urlencoded',
  'multipart/form-data; boundary=x',
  'multipart/form-data',
  'text/plain',
  'application/json;;=',
  'a'.repeat(2_000),
  '/',
  '',
]
const accepts = [
  'text/html',
  '*/*;q=0',
  'application/*',
  'application/json;indent=4',
  'text/event-stream',
  ',',
  '',
  'a'.repeat(2_000),
]

/** Makes one request: valid, nearly valid or invalid. */
export function createRequest(
  { operations }: FuzzDocument,
  random: Random,
  knownKeys: readonly string[],
): FuzzRequest {
  const operation = random.pick(operations)
  const { body: example } = operation
  const level = random.below(10)
  let isSure = true
  const sometimes = (chance: number) => level > 3 && random.below(chance) === 0

  let path = operation.path.replace(/\/$/, '').replace(/\{(\w+)\}/g, (_, name: string) => {
    if (!sometimes(4)) return knownParameter(name, operation, random)
    isSure = false
    return inPath(hostileText(random), random)
  })
  path += pathEnding(random)
  path += queryOf(operation.parameters, random, level)
  if (sometimes(15)) {
    isSure = false
    path = mutateText(path, random)
  }

  const headers: Record<string, string> = {}
  if (!sometimes(10)) headers.authorization = `Bearer ${random.pick(knownKeys)}`
  else if (random.below(2) === 0)
    headers.authorization = random.pick([
      '',
      'Bearer',
      'Basic x',
      'Bearer  phx_all x',
      `Bearer ${'k'.repeat(3_000)}`,
      'Bearer \u00ff',
    ])
  if (sometimes(10)) headers.accept = random.pick(accepts)
  if (sometimes(20)) headers['content-encoding'] = random.pick(['gzip', 'identity', 'br', 'x'])
  if (sometimes(20)) headers.origin = random.pick(['null', 'https://evil.test', ''])
  if (sometimes(30)) headers['x-http-method-override'] = random.pick(methods)

  let { method } = operation
  if (sometimes(12)) {
    isSure = false
    method = random.pick(methods)
  }
  let body: Uint8Array | null = null
  if (method !== 'GET' && method !== 'HEAD' && (example !== null || sometimes(6))) {
    const value =
      level < 4
        ? someOf(example ?? {}, random)
        : level < 8
          ? mutate(someOf(example ?? {}, random), random)
          : hostileValue(random)
    body = mutateBytes(utf8.encode(toText(value)), random, level)
    headers['content-type'] = sometimes(10) ? random.pick(types) : 'application/json'
    if (sometimes(30)) delete headers['content-type']
  }
  return { operation: isSure ? operation : null, method, path, headers, body }
}

/** Some of the fields of an example. */
function someOf(example: object, random: Random): Members {
  const entries = Object.entries(example).filter(() => random.below(3) > 0)
  return new Members(entries.map(([name, value]) => [name, toValue(value)]))
}

/** Values that lists accept. */
const validQuery: Readonly<Record<string, readonly string[]>> = {
  limit: ['1', '3', '60', '1000'],
  offset: ['0', '2', '40'],
  search: ['', 'release', 'Über 漢字 👍'],
  format: ['json'],
}

/** Ids of the worlds `default` and `odd`, those of new rows, and some that nothing has. */
function knownParameter(name: string, { path }: Operation, random: Random): string {
  if (name === 'project_id') return random.pick(['1', '1', '1', '1', '1', '1', '2', '999'])
  if (name === 'organization_id') {
    return random.below(10) === 0
      ? '018f2b6e-0000-7000-8000-00000000000f'
      : '018f2b6e-0000-7000-8000-00000000000a'
  }
  const first = path.includes('plugins') ? 21 : 1
  return String(random.below(9) === 0 ? random.below(9_999) : first + random.below(12))
}

/** Paths work with and without the slash at their end. */
const pathEnding = (random: Random) => (random.below(4) === 0 ? '' : '/')

function queryOf(parameters: readonly Parameter[], random: Random, level: number): string {
  const pairs = parameters
    .filter(
      ({ name, in: place }) => place === 'query' && random.below(name === 'format' ? 9 : 2) === 0,
    )
    .map(({ name }) => {
      const isValid = level < 5 || random.below(3) === 0
      const value = isValid ? random.pick(validQuery[name] ?? ['1']) : hostileText(random)
      return `${name}=${inPath(value, random)}`
    })
  if (level > 6 && random.below(5) === 0) pairs.push(inPath(hostileText(random), random))
  return pairs.length > 0 ? `?${pairs.join('&')}` : ''
}

/** Mostly percent-encoded. Otherwise in a form that a URL can contain. */
function inPath(text: string, random: Random): string {
  if (random.below(4) > 0) return encodeURIComponent(Buffer.from(text).toString()).slice(0, 8_000)
  return text
    .replace(/[^!-~]/g, (sign) => encodeURIComponent(Buffer.from(sign).toString()))
    .slice(0, 8_000)
}

function mutateText(text: string, random: Random): string {
  const at = 1 + random.below(text.length - 1)
  const inserted = random.pick([
    '/',
    '//',
    '/./',
    '/../',
    '%2F',
    '%',
    '%zz',
    '.json',
    '?',
    '#',
    ';a=b',
    '\\',
    '~',
    '__sandbox/x/',
  ])
  return text.slice(0, at) + inserted + text.slice(at + random.below(3))
}

function mutateBytes(bytes: Uint8Array, random: Random, level: number): Uint8Array {
  if (level < 6 || random.below(5) > 0) return bytes
  const at = random.below(bytes.length + 1)
  const inserted = random.pick<readonly number[]>([
    [0xff, 0xfe],
    [0xed, 0xa0, 0x80],
    [0xc0, 0x80],
    [0xef, 0xbb, 0xbf],
    [0x00],
    [0x7b],
    [0x0a],
    [],
  ])
  const start = random.below(8) === 0 ? 0 : at
  return Uint8Array.from([...bytes.subarray(0, start), ...inserted, ...bytes.subarray(at)])
}

/** For the message of a failure. */
export function formatRequest({ operation, method, path, headers, body }: FuzzRequest): string {
  const text = body && Buffer.from(body).toString('latin1').slice(0, 2_000)
  return `${operation?.id ?? 'any operation'}\n${method} ${path.slice(0, 2_000)}\n${JSON.stringify(headers).slice(0, 1_000)}\n${JSON.stringify(text)}`
}
