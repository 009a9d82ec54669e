import { readdirSync, readFileSync } from 'node:fs'
import type {
  ResponseReasons,
  SuggestedRequest,
} from '../../../../src/analysis/reasons/response-reasons.ts'
import type { PolicyOverrides } from '../../../../src/policies/settings.ts'
import type { FaultRequest } from '../../../../src/sandbox/faults/fault-request.ts'
import { createSimulator, type Simulator } from '../../../../src/simulator.ts'
import { maskKey } from '../../../../src/utils/redaction/mask.ts'
import { readWorld } from '../../../../src/world/load/read-world.ts'
import { acme, annotationsPath, noon } from '../../../support/api/paths.ts'
import { organizationIds, truthWorld } from './world.ts'

/**
 * An answer of the tables, which were written by hand from the documentation: a request in a given state, and what is true
 * of its response.
 *
 * The rule that decides a refusal is the first one, in the order of the checks, without which the status would be another,
 * or else the error. A value with which an earlier check would have refused does not count. The documentation states
 * requirements and no status of errors, so `documented` is true of the requirement only.
 *
 * The rule that decides a success is the one with the weakest evidence, and the first of several ones, of those without
 * which the request would be refused, the rows or their count would be others, a field would not have its documented type,
 * or a value that was sent would not be stored as it was sent, in this order. The scope `*` comes last, because most keys
 * have it. The order of rows counts only on a page that does not have all of them. The links of a page do not count: they
 * are null where there is no other page. A plugin that is created with every documented field misses none, so no policy
 * about required fields decides it.
 */
export interface Answer {
  /** The line of the table */
  readonly line: string
  readonly request: string
  /** The label of a key, its value, or `-` for no key */
  readonly key: string
  /**
   * What holds before the request: `live`, `world odd`, a policy as `id=value`, a fault as `fault OPERATION EFFECT PHASE`,
   * earlier requests as `first METHOD PATH BODY` or `480 times METHOD PATH`. `as TYPE` and `accept TYPE` are its headers
   */
  readonly state: readonly string[]
  /** Words of the documentation that state what is documented */
  readonly words: string
}

const folder = new URL('.', import.meta.url)

/** The tables of answers. */
export const tables: readonly string[] = readdirSync(folder).filter((name) => name.endsWith('.txt'))

/** Reads a table. Its first line has the names of the columns. */
export function readAnswers(table: string): readonly Answer[] {
  const [, ...lines] = readFileSync(new URL(table, folder), 'utf8').trim().split('\n')
  return lines.map((line) => {
    const [request = '', key = '', state = '', , , , words = ''] = line
      .split('|')
      .map((column) => column.trim())
    return { line, request, key, state: state.split('; ').filter(Boolean), words }
  })
}

/** Writes the line of an answer with another outcome. */
export function writeLine(
  { request, key, state, words }: Answer,
  { status, decided_by }: ResponseReasons,
): string {
  const stated = words === '' || statesWords(decided_by.documentation, words)
  return [
    request,
    key,
    state.join('; '),
    status,
    decided_by.id,
    decided_by.evidence,
    stated ? words : 'no line states it',
  ]
    .join(' | ')
    .replace('|  |', '| |')
    .trimEnd()
}

/** A line with "not shown" states nothing. */
function statesWords(documentation: readonly string[], words: string): boolean {
  return documentation
    .flatMap((line) => line.split(/[.;] /))
    .some((part) => part.includes(words) && !part.includes('not shown'))
}

const settings = (statement: string): PolicyOverrides => {
  const [id = '', value = ''] = statement.split('=')
  return { [id]: value } as PolicyOverrides
}

const worlds = new Map<string, Simulator>()

/** Worlds are read once. */
async function startWorld(name: string): Promise<Simulator> {
  const started = worlds.get(name)
  if (started) return started
  const world = name === '' ? truthWorld : await readWorld(name)
  const simulator = createSimulator({ world, clock: noon, onError() {} })
  worlds.set(name, simulator)
  return simulator
}

/** A simulator in the state of an answer. */
export async function startSimulator({ state }: Answer): Promise<Simulator> {
  const world = state.find((statement) => statement.startsWith('world '))?.slice(6) ?? ''
  const policies = state.filter((statement) => /^\S+=/.test(statement)).map(settings)
  const simulator = (await startWorld(world)).fork({
    profile: state.includes('live') ? 'live' : 'documented',
    policies: Object.assign({}, ...policies),
  })
  if (world !== '') {
    simulator.keys.issue({ value: 'phx_old', label: 'old', scopes: null })
    simulator.keys.issue({
      value: 'phx_plugin_read',
      label: 'plugin:read',
      scopes: ['plugin:read'],
    })
  }
  for (const statement of state) {
    const [word, ...rest] = statement.split(' ')
    if (word === 'fault') addFault(simulator, rest)
    if (word === 'first') await send(simulator, rest.join(' '), 'old', [])
    if (rest[0] === 'times') {
      const request = rest.slice(1).join(' ')
      for (let sent = 0; sent < Number(word); sent += 1) await send(simulator, request, 'all', [])
    }
  }
  return simulator
}

function addFault(simulator: Simulator, [operation = '', effect = '', phase]: readonly string[]) {
  simulator.faults.add({
    operation,
    effect: JSON.parse(effect),
    ...(phase === undefined ? {} : { phase }),
  } as FaultRequest)
}

/** Sends the request of an answer, and explains the response. */
export async function explainAnswer(
  simulator: Simulator,
  { request, key, state }: Answer,
): Promise<ResponseReasons> {
  await send(simulator, request, key, state)
  const entry = simulator.journal.find({}).at(-1)
  if (entry === undefined) throw new Error(`No entry for ${request}`)
  return simulator.explain(entry)
}

/** Sends a suggested request, with the key that it names. */
export function sendSuggestion(
  simulator: Simulator,
  { method, path, key, headers, body }: SuggestedRequest,
): Promise<Response> {
  const row = simulator.keys.list().find(({ label, value }) => {
    return label === value ? maskKey(value) === key?.value : label === key?.label
  })
  return simulator.fetch(path, {
    method,
    headers: { ...headers, ...(row && { authorization: `Bearer ${row.value}` }) },
    ...(body === null ? {} : { body: JSON.stringify(body) }),
  })
}

/** The id of the row that a path names. */
export function findRowId(path: string): string | undefined {
  return /(?:annotations|plugins)\/(\d+)/.exec(path)?.[1]
}

/** The plugins and annotations of a simulator as texts, without the one that the request of an answer names. */
export function listOtherRows({ world }: Simulator, { request }: Answer): readonly string[] {
  const own = findRowId(request)
  return [...world.annotations.list(), ...world.plugins.list()]
    .filter(({ id }) => String(id) !== own)
    .map((row) => JSON.stringify(row))
}

/** Sends a request. A response that breaks off has its entry in the journal all the same. */
async function send(
  simulator: Simulator,
  request: string,
  key: string,
  state: readonly string[],
): Promise<void> {
  const [method = '', path = '', ...rest] = request.split(' ')
  const body = rest.join(' ').replace(/<(\d+) letters>/, (_, count) => 'x'.repeat(Number(count)))
  const find = (word: string) =>
    state.find((statement) => statement.startsWith(`${word} `))?.slice(word.length + 1)
  const row = simulator.keys.list().find(({ label, value }) => [label, value].includes(key))
  const headers = {
    ...(key !== '-' && { authorization: `Bearer ${row?.value ?? 'phx_unknown'}` }),
    ...(body !== '' && { 'content-type': find('as') ?? 'application/json' }),
    ...(find('accept') && { accept: find('accept') }),
  } as Record<string, string>
  const init = { method, headers, ...(body !== '' && { body }) }
  await simulator
    .fetch(wholePath(path), init)
    .then((response) => response.text())
    .catch(() => undefined)
}

function wholePath(path: string): string {
  const root = path.startsWith('annotations')
    ? annotationsPath.replace('annotations/', '')
    : path.startsWith('plugins')
      ? `/api/organizations/${acme}/`
      : ''
  return root + path.replace(/\{(\w+)\}/, (_, name) => organizationIds[name] ?? '')
}
