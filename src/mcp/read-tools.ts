import { resolve } from 'node:path'
import * as z from 'zod'
import type { Scenario } from '../scenarios/format/scenario.ts'
import { readScenario } from '../scenarios/library.ts'
import type { Recording } from '../scenarios/recording/recorder.ts'
import { resolveSettings } from '../settings/resolve.ts'
import { UsageError } from '../utils/errors.ts'
import { statsOf } from '../utils/files.ts'
import { formatJson } from '../utils/format-json.ts'
import { listOf } from '../utils/options.ts'
import { writeNamedFile } from '../world/persistence/atomic-write.ts'
import { countedListNames } from '../world/tables.ts'
import type { EditableList } from '../world/world-json.ts'
import { existing, isReading, name, named, object, tool } from './tool.ts'

// What tools read. Agents pay for each character: what decides comes first, and the rest on demand.

const overview = tool(
  'overview',
  'Start here: the URL for the program under test, its keys, projects and organizations, clock and faults.',
  {},
  async ({ remote }) => {
    const [keys, projects, organizations] = await Promise.all([
      remote.keys.list(),
      remote.world.find('projects'),
      remote.world.find('organizations'),
    ])
    const settings = await remote.settings.list()
    const changed = settings.filter(({ value, default: usual }) => value !== usual)
    return {
      url: remote.url,
      keys: keys.map(({ label, value, scopes }) => ({ label, value, scopes })),
      projects: projects.rows.map(({ id, name }) => ({ id, name })),
      organizations: organizations.rows.map(({ id, name }) => ({ id, name })),
      clock: await remote.clock.read(),
      faults: (await remote.faults.list()).map(({ id }) => id),
      changed_settings: Object.fromEntries(changed.map(({ id, value }) => [id, value])),
    }
  },
  { hints: isReading },
)

const explain = tool(
  'explain',
  'Explain the latest response, or that of an entry: what decided it, on which evidence, and a request that succeeds.',
  { entry: z.int().optional() },
  async ({ remote }, { entry }) => {
    const id = entry ?? (await remote.journal.find({ limit: 1, bodies: false }))[0]?.id
    const reasons = await remote.explain(existing(id, 'A request'))
    const { settings, would_succeed, decided_by, ...rest } = reasons
    const brief = ({ documentation: _, ...reason }: (typeof settings)[number]) => reason
    const others = settings.filter(({ id }) => id !== decided_by?.id)
    const doubtful = others.filter(({ evidence }) => evidence === 'assumed')
    return {
      ...rest,
      decided_by: decided_by && brief(decided_by),
      ...(doubtful.length > 0 && { depends_on: doubtful.map(brief) }),
      // The arguments of `send_request`.
      would_succeed: would_succeed && {
        ...would_succeed,
        key: would_succeed.key?.label ?? undefined,
        body: would_succeed.body ?? undefined,
      },
    }
  },
  { hints: isReading, names: { id: 'entry', entry_id: 'entry' } },
)

const journal = tool(
  'journal',
  'List the latest requests, or those after an entry. With an id: one, in full.',
  {
    id: z.int().optional(),
    after: z.int().optional(),
    limit: z.int().optional(),
    filter: object('{"status": "4xx", "operation": "listAnnotations", "path": "/api/projects/"}'),
  },
  async ({ remote: { journal, url } }, { id, after = 0, limit = 20, filter }) => {
    if (id !== undefined) return existing(await journal.get(id), `Entry ${id}`)
    const entries = await journal.find({ limit: 1_000, bodies: false, ...filter })
    const all = entries.filter((entry) => entry.id > after)
    const hint = `No such request. The program under test must send its requests to ${url}`
    return {
      total: all.length,
      ...(all.length > limit && { earlier: all.length - limit }),
      ...(all.length === 0 && { hint }),
      entries: all
        .slice(-limit)
        .map(
          ({ request: _, settings: __, changes: ___, response: { status }, nearest, ...line }) => ({
            ...{ ...line, status },
            ...(nearest && { nearest: nearest[0] }),
          }),
        ),
    }
  },
  { hints: isReading, names: { entry: 'id', since: 'after' }, rest: 'filter' },
)

const report = tool(
  'report',
  'List the client mistakes, with cures: after an entry, only those that later requests show. settings: what its responses depend on.',
  { after: z.int().optional(), settings: z.boolean().optional() },
  async ({ remote }, { after = 0, settings: hasSettings }) => {
    const { mistakes, settings, ...counts } = await remote.report()
    const shown = mistakes.filter(({ entries }) => entries.some((entry) => entry > after))
    return { ...counts, mistakes: shown, ...(hasSettings && { settings }) }
  },
  { hints: isReading },
)

const readRows = tool(
  'read_rows',
  'Find rows, deleted annotations included. With an id: one row.',
  {
    list: z.enum(['organizations', ...countedListNames] as EditableList[]),
    id: z.union([z.string(), z.int()]).optional(),
    query: z
      .union([z.looseObject({}), name])
      .describe('Such as {"search": "launch", "project": 1}')
      .optional(),
    limit: z.int().optional(),
  },
  async ({ remote: { world } }, { list, id, query, limit = 20 }) => {
    if (id !== undefined) return existing(await world.get(list, id), `Row ${id} of ${list}`)
    const filter = typeof query === 'string' ? { search: query } : query
    return world.find(list, { limit, ...filter })
  },
  {
    hints: isReading,
    names: { table: 'list', type: 'list', where: 'query', filter: 'query' },
    rest: 'query',
  },
)

const findSettings = tool(
  'settings',
  'Find settings, the open questions about the API, by words of their id, question or evidence; or set values.',
  {
    text: z.string().optional(),
    set: object('{"profile": "live", "annotations.delete.status": "404"}'),
  },
  async ({ remote: { settings } }, { text, set }) => {
    const before = await settings.list()
    if (set) {
      const { profile, ...values } = set as Record<string, string>
      await settings.set({ ...(profile && resolveSettings(profile)), ...values })
      return (await settings.list()).flatMap(({ id, value }, at) =>
        before[at]?.value === value ? [] : [{ id, before: before[at]?.value, value }],
      )
    }
    const words = (text ?? '').toLowerCase().split(/\s+/)
    const matches = before.filter((setting) => {
      const whole = JSON.stringify(setting).toLowerCase()
      return words.every((word) => whole.includes(word))
    })
    const areas = [...new Set(before.map(({ id }) => id.split('.')[0]))].join(', ')
    if (matches.length === 0)
      throw new UsageError(`No setting has ${text}. Their areas are ${areas}.`)
    return matches.length <= 3
      ? matches
      : matches.map(({ id, question, value }) => ({ id, question, value }))
  },
  { names: { id: 'text', query: 'text', search: 'text' }, rest: 'set' },
)

const scenario = tool(
  'scenario',
  'Run a scenario in its own world, or in a copy of this one; record the journal as one; or list their names.',
  {
    run: named
      .describe(
        'A name, a file or {"title": …, "steps": [{"as": "all", "method": "GET", "path": …, "expect": {"status": 200}}]}',
      )
      .optional(),
    options: object('{"world": "odd", "profile": "live"}'),
    record: z
      .union([z.string().endsWith('.json', 'expected NAME.json'), z.literal(true)])
      .describe('A new file NAME.json, or true for the scenario itself.')
      .optional(),
    entries: listOf(z.int()).describe('Records only these.').optional(),
  },
  async ({ remote }, { run, options, record, entries }) => {
    if (record !== undefined) return recordTo(record, await remote.record(entries && { entries }))
    if (run === undefined) return (await remote.scenarios.list()).map(({ name }) => name)
    const isFile = typeof run === 'string' && run.endsWith('.json')
    const source = isFile ? await readScenario(run) : (run as string | Scenario)
    const result = await remote.scenarios.run(source, options)
    const failed = result.steps.filter(({ outcome }) => outcome !== 'passed')
    return { passed: result.passed, steps: result.steps.length, failed }
  },
  { names: { name: 'run', scenario: 'run' } },
)

/** @throws UsageError for a file that exists: an agent may not replace what its user has */
async function recordTo(file: string | true, recorded: Recording): Promise<object> {
  if (file === true) return recorded
  if (statsOf(file)) throw new UsageError(`${file} exists. Name a new file.`)
  const { scenario, warnings } = recorded
  await writeNamedFile(file, `${formatJson(scenario)}\n`)
  return { file: resolve(file), steps: scenario.steps.length, warnings }
}

export const readTools = [overview, explain, journal, report, readRows, findSettings, scenario]
