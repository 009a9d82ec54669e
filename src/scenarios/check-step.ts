import { readActor } from '../actors/read.ts'
import { isObject } from '../differences.ts'
import { rulesOf } from '../faults/request.ts'
import { adjust, settle } from '../policies/settings.ts'
import { nearest, show } from '../usage-error.ts'
import { Clock } from '../world/clock.ts'
import { lengthOf } from '../world/duration.ts'
import { faultsOf } from '../world/faults.ts'
import { type FreeWord, loadWorld } from '../world/load.ts'
import { valueFaults } from './check-values.ts'
import { faultsWithin } from './faults-within.ts'
import { type ChangeWord, changeWords, type RequestStep } from './scenario.ts'
import { changeSchemas, changeStep, requestStep } from './schema.ts'
import { namesIn } from './values.ts'

/** Every fault of a step, each with its path. */
export function stepFaults(step: unknown, path: string): string[] {
  if (!isObject(step)) return [`${path}: expected a request or a change, got ${show(step)}`]
  if ('method' in step) return requestFaults(step, path)
  const words = changeWords.filter((word) => word in step)
  const [word] = words
  if (words.length > 1) return [`${path}: expected one change, got ${words.join(' and ')}`]
  return word ? changeFaults(word, step, path) : [unknownKind(step, path)]
}

function unknownKind(step: Record<string, unknown>, path: string): string {
  const [first = ''] = Object.keys(step).filter(
    (name) => !['title', 'save', 'expect'].includes(name),
  )
  const meant = nearest(first, ['method', ...changeWords])
  const hint = meant === undefined ? '' : `. Did you mean ${meant}?`
  return `${path}: expected a step with one of method, ${changeWords.join(', ')}, got ${show(first)}${hint}`
}

function requestFaults(step: Record<string, unknown>, path: string): string[] {
  const parsed = requestStep.safeParse(step)
  if (parsed.error) return faultsOf(parsed.error, step, '').map((fault) => below(path, fault))
  const {
    method,
    body,
    text,
    base64,
    expect = {},
    headers = {},
    as,
  } = step as unknown as RequestStep
  const bodies = Object.entries({ body, text, base64 }).filter(([, value]) => value !== undefined)
  const [first, second] = bodies.map(([name]) => name)
  const isRead = method === 'GET' || method === 'HEAD'
  const names = Object.keys(headers).map((name) => name.toLowerCase())
  const { broken, ...answered } = expect
  return [
    ...(first !== undefined && isRead
      ? [`${path}.${first}: expected none with ${method}, which carries none`]
      : []),
    ...(second !== undefined
      ? [`${path}.${second}: expected ${first} or ${second}, got both`]
      : []),
    ...(as !== undefined && names.includes('authorization')
      ? [`${path}.headers.authorization: expected none beside as, which sets it`]
      : []),
    ...(broken && answered.status !== undefined
      ? [`${path}.expect.status: expected none beside broken: no answer comes`]
      : []),
    ...valueFaults(body, `${path}.body`, 'sent'),
    ...valueFaults(expect.headers, `${path}.expect.headers`, 'expected'),
    ...valueFaults(expect.body, `${path}.expect.body`, 'expected'),
    ...valueFaults(expect.exact_body, `${path}.expect.exact_body`, 'expected'),
  ]
}

function changeFaults(word: ChangeWord, step: Record<string, unknown>, path: string): string[] {
  const { [word]: value, ...rest } = step
  const parsed = changeStep(word).partial().safeParse(rest)
  const faults = [
    ...(parsed.error ? faultsOf(parsed.error, step, '').map((fault) => below(path, fault)) : []),
    ...(word === 'world' ? [] : valueFaults(value, `${path}.${word}`, 'sent')),
    ...faultsWithin(`${path}.${word}`, () => readers[word]?.(value as never)),
    ...(readers[word] ? [] : schemaFaults(word, value, `${path}.${word}`)),
  ]
  if (word === 'world') return faults
  // What a saved value will be is not known yet: the target checks it then.
  const later = namesIn(value, `${path}.${word}`)
  return faults.filter((fault) => !later.some((place) => fault.startsWith(place.path)))
}

function schemaFaults(word: ChangeWord, value: unknown, path: string): string[] {
  const parsed = changeSchemas[word].safeParse(value)
  return parsed.error ? faultsOf(parsed.error, value, '').map((fault) => below(path, fault)) : []
}

/** Which policies hold when it is carried out is not known yet: the target checks it then. */
const everyWord: readonly FreeWord[] = [
  'annotations.creation_type',
  'annotations.scope',
  'plugins.plugin_type',
]

/** What says more of a value than its schema does. */
const readers: Partial<Record<ChangeWord, (value: never) => unknown>> = {
  world: (value) => loadWorld(value, everyWord),
  clock: (value) => new Clock(value),
  advance: lengthOf,
  fault: rulesOf,
  actor: readActor,
  profile: settle,
  policies: (value) => adjust(settle(), value),
}

/** A fault with the path of what it is in. One of the whole begins with a colon. */
function below(path: string, fault: string): string {
  return /^[:[]/.test(fault) ? `${path}${fault}` : `${path}.${fault}`
}
