import { expect, test } from 'vitest'
import {
  MutantCollector,
  mutantVariants,
  readMutantId,
} from '../../src/analysis/variants/mutants.ts'
import { applyVariant, type Variant } from '../../src/analysis/variants/variant.ts'
import { endpoints } from '../../src/api/endpoints.ts'
import { resolvePolicies } from '../../src/policies/settings.ts'
import { mutantKinds } from '../../src/sandbox/faults/rule.ts'
import { createSimulator } from '../../src/simulator.ts'
import { jsonHeaders } from '../support/api/headers.ts'
import { acme, annotationsPath, noon } from '../support/api/paths.ts'
import { responseValidator } from '../support/api/response-schema.ts'
import { createRandom, type Random } from '../support/random.ts'

// What the document says of each response is checked here without the code that makes mutants.

type Row = Readonly<Record<string, unknown>>
type Page = { count: number; next: string | null; previous: string | null; results: Row[] }
type Send = (method: string, path: string, body?: Row) => Promise<Response>

const settings = resolvePolicies('documented')
const origin = createSimulator({ clock: noon })
const plugins = `/api/organizations/${acme}/plugins/`

/** What must be true of a run, and was not. */
type Report = (what: string) => void

const texts = ['Launch', '', 'A long text '.repeat(20), 'ÄÖ <b>', '1']

function randomAnnotation({ below, pick }: Random): Row {
  const all = {
    content: pick(texts),
    date_marker: `2024-0${1 + below(9)}-11T0${below(10)}:00:00${pick(['', '.123456', '.120000'])}Z`,
    creation_type: pick(['USR', 'GIT']),
    scope: pick(['project', 'organization', 'dashboard_item']),
    dashboard_item: pick([10, null]),
  }
  return Object.fromEntries(Object.entries(all).filter(() => below(3) > 0))
}

/** A text without the form that the same moment can have. */
const meaning = (value: unknown): unknown =>
  typeof value === 'string' && /^\d{4}-\d\d-\d\dT/.test(value)
    ? `${Date.parse(value)} ${/\.(\d+)/.exec(value)?.[1]?.replace(/0+$/, '') ?? ''}`
    : value

/** Creates, reads, lists, changes and reads again, as a random client, and checks each response. */
async function behave(send: Send, random: Random, report: Report): Promise<void> {
  const { below, pick } = random
  const list = async (limit: number, search: string): Promise<Row[]> => {
    const rows: Row[] = []
    let pages = 0
    let url: string | null = `${annotationsPath}?limit=${limit}${search}`
    while (url !== null && pages < 60) {
      const page = (await (await send('GET', url)).json()) as Page
      pages += 1
      if (page.results.length > limit) report(`${page.results.length} rows with limit ${limit}`)
      if (page.results.length > page.count) report('more rows than the count')
      rows.push(...page.results)
      url = page.next
    }
    if (pages >= 60) report('pages do not end')
    return rows
  }
  const sent = randomAnnotation(random)
  const expectSent = (shown: Row, wish: Row, where: string): void => {
    for (const [name, value] of Object.entries(wish)) {
      if (meaning(shown[name]) !== meaning(value)) {
        report(`${where}: ${name} is ${JSON.stringify(shown[name])}, not ${JSON.stringify(value)}`)
      }
    }
  }
  const created = (await (await send('POST', annotationsPath, sent)).json()) as Row
  const row = `${annotationsPath}${created.id}/`
  expectSent(created, { ...sent, ...trimmed(sent) }, 'the created row')
  const changes = randomAnnotation(random)
  const changed = (await (await send('PATCH', row, changes)).json()) as Row
  expectSent(
    changed,
    { ...sent, ...changes, ...trimmed({ ...sent, ...changes }) },
    'the changed row',
  )
  const read = (await (await send('GET', row)).json()) as Row
  expectSent(
    read,
    { ...sent, ...changes, ...trimmed({ ...sent, ...changes }) },
    'the row that was read',
  )
  const listed = await list(pick([2, 3, 200]), pick(['', '', '&search=e']))
  const other = await list(1 + below(5), '')
  if (!other.some(({ id }) => id === created.id)) report('the created row is not listed')
  const own = listed.find(({ id }) => id === created.id)
  if (own)
    expectSent(own, { ...sent, ...changes, ...trimmed({ ...sent, ...changes }) }, 'the listed row')
  const ids = new Set(other.map(({ id }) => id))
  for (const { id } of other) {
    if ((await send('GET', `${annotationsPath}${id}/`)).status !== 200)
      report(`row ${id} is not found`)
  }
  if (ids.size < 7) report(`${ids.size} rows are listed`)
  const body = { name: pick(texts).slice(0, 20), metrics: pick([{ a: 'sum' }, null, {}]), tag: 'x' }
  const plugin = (await (await send('POST', plugins, body)).json()) as Row
  for (const name of ['name', 'metrics', 'tag'] as const) {
    const wish = typeof body[name] === 'string' ? String(body[name]).trim() : body[name]
    if (JSON.stringify(plugin[name]) !== JSON.stringify(wish)) report(`plugin: ${name} differs`)
  }
  await send('GET', `${plugins}${pick([21, 22])}/`)
  await send('GET', `${plugins}?limit=2&offset=1`)
  await send('GET', '/api/projects/')
}

/** The service removes the spaces around a text. */
function trimmed({ content }: Row): Row {
  return typeof content === 'string' ? { content: content.trim() } : {}
}

type Validate = ReturnType<typeof responseValidator>

/** By operation, and whether further fields are allowed. A schema takes long to build. */
const validators = new Map<string, Validate>()

function validatorOf(operation: string, isOpen: boolean): Validate | undefined {
  const endpoint = endpoints.find(({ id }) => id === operation)
  if (!endpoint) return undefined
  const name = `${operation} ${isOpen}`
  const validate = validators.get(name) ?? responseValidator(endpoint, settings, { isOpen })
  validators.set(name, validate)
  return validate
}

/** Runs a random client against a variant. @returns what contradicts the document, or what was written */
async function problemsWith(variant: Variant | null, seed: number, collector?: MutantCollector) {
  const simulator = origin.fork()
  if (variant) applyVariant(simulator, variant)
  const problems = new Set<string>()
  const isOpen = variant?.id.endsWith('=extra_field') === true
  let operation: string | null = null
  simulator.journal.followRecords((record) => {
    operation = record.operation
    collector?.add(record)
  })
  const send: Send = async (method, path, body) => {
    const init = { method, headers: jsonHeaders(), ...(body && { body: JSON.stringify(body) }) }
    const response = await simulator.fetch(path, init)
    const validate = validatorOf(operation ?? '', isOpen)
    if (response.ok && validate) {
      const wrong = validate(await response.clone().json())
      if (wrong !== null) problems.add(`${operation}: ${wrong}`)
    } else problems.add(`${method} ${path}: ${response.status}`)
    return response
  }
  await behave(send, createRandom(seed), (what) => problems.add(what))
  return [...problems]
}

test('none of a thousand mutants contradicts the document, or what was just written', async () => {
  const found: string[] = []
  const kinds = new Set<string>()
  let count = 0
  for (let seed = 1; count < 1_000; seed++) {
    const collector = new MutantCollector()
    expect(await problemsWith(null, seed, collector), `seed ${seed}`).toEqual([])
    const variants = mutantVariants(collector.exercised, settings)
    const quick = variants.filter(({ id }) => !id.endsWith('=slow'))
    for (const variant of quick) {
      count += 1
      kinds.add(readMutantId(variant.id)?.mutation.kind ?? '')
      const problems = await problemsWith(variant, seed)
      found.push(...problems.map((problem) => `${variant.id} (seed ${seed}): ${problem}`))
    }
  }

  expect(found).toEqual([])
  expect(count).toBeGreaterThanOrEqual(1_000)
  // Delays have tests of their own, and other values are for comparison.
  expect(Object.keys(mutantKinds).filter((kind) => !kinds.has(kind))).toEqual([
    'slow',
    'other_value',
  ])
}, 600_000)
