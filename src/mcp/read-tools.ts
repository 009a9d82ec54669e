import * as z from 'zod'
import type { Scenario } from '../scenarios/format/scenario.ts'
import { resolveSettings } from '../settings/resolve.ts'
import type { JournalEntry } from '../simulator/journal/entry.ts'
import type { ResponseReasons } from '../simulator/response-reasons.ts'
import { UsageError } from '../utils/errors.ts'
import { wait } from '../utils/wait.ts'
import { countedListNames } from '../world/tables.ts'
import type { EditableList } from '../world/world-json.ts'
import { existing, isReading, name, named, object, tool, toSnakeCase } from './tool.ts'

// What tools read. Agents pay for each character: what decides comes first, and the rest on demand.

export const overview = tool(
  'overview',
  'Start here: the URL for the program under test, its keys, projects and organizations, the clock, faults and sandboxes.',
  {},
  async ({ remote }) => {
    const [keys, projects, organizations, sandboxes] = await Promise.all([
      remote.keys.list(),
      remote.world.find('projects'),
      remote.world.find('organizations'),
      remote.sandboxes.list().catch(() => []),
    ])
    const settings = await remote.settings.list()
    return {
      url: remote.url,
      hint: 'Set this URL as the base URL of the program under test, and send a key as Authorization: Bearer KEY.',
      keys: keys.map(({ label, value, scopes }) => ({ label, value, scopes })),
      projects: projects.rows.map(({ id, name }) => ({ id, name })),
      organizations: organizations.rows.map(({ id, name }) => ({ id, name })),
      clock: await remote.clock.read(),
      faults: (await remote.faults.list()).map(({ id }) => id),
      sandboxes: sandboxes.map(({ id, name, url }) => ({ id, name, url })),
      changed_settings: Object.fromEntries(
        settings.flatMap(({ id, value, default: usual }) => (value === usual ? [] : [[id, value]])),
      ),
    }
  },
  isReading,
)

export const explain = tool(
  'explain',
  'Explain the latest response, or that of an entry: what decided it, on which evidence, and a request that succeeds. all: every setting that it depends on.',
  { entry: z.int().optional(), all: z.boolean().optional() },
  async ({ remote }, { entry, all }) => {
    const id = entry ?? (await remote.journal.find({ limit: 1, bodies: false }))[0]?.id
    return shortReasons(await remote.explain(existing(id, 'A request')), all === true)
  },
  isReading,
  { names: { id: 'entry', entry_id: 'entry' } },
)

function shortReasons(reasons: ResponseReasons, hasAll: boolean): object {
  const { settings, would_succeed, decided_by, ...rest } = reasons
  const brief = (reason: ResponseReasons['settings'][number]) => {
    const { documentation: _, ...shown } = reason
    return shown
  }
  const others = settings.filter(({ id }) => id !== decided_by?.id)
  const doubtful = hasAll ? others : others.filter(({ evidence }) => evidence === 'assumed')
  return {
    ...rest,
    decided_by: decided_by && brief(decided_by),
    ...(doubtful.length > 0 && { depends_on: doubtful.map(brief) }),
    // Arguments of send_request.
    would_succeed: would_succeed && toArguments(would_succeed),
  }
}

function toArguments(request: NonNullable<ResponseReasons['would_succeed']>): object {
  const { method, path, key, headers, body } = request
  return {
    ...{ method, path },
    ...(key?.label && { key: key.label }),
    ...(Object.keys(headers).length > 0 && { headers }),
    ...(body !== null && { body }),
  }
}

export const journal = tool(
  'journal',
  'List the latest requests. With an id: one of them, whole. wait_s waits for a request after the entry `after`.',
  {
    id: z.int().optional(),
    after: z.int().optional(),
    limit: z.int().optional(),
    filter: object('{"status": "4xx", "operation": "listAnnotations", "path": "/api/projects/"}'),
    wait_s: z.number().max(30).optional(),
  },
  async ({ remote: { journal, url } }, { id, after, limit = 20, filter, wait_s = 0 }) => {
    if (id !== undefined) return existing(await journal.get(id), `Entry ${id}`)
    const last = async () => (await journal.find({ limit: 1, bodies: false }))[0]?.id ?? 0
    const from = after ?? (wait_s > 0 ? await last() : 0)
    for (let tries = wait_s * 4; tries > 0 && (await last()) <= from; tries -= 1) await wait(250)
    const found = await journal.find({ limit: 1_000, bodies: false, ...filter })
    const all = found.filter((entry) => entry.id > from)
    const hint = `No requests. The program under test must send them to ${url}`
    return {
      total: all.length,
      ...(all.length > limit && { earlier: all.length - limit }),
      ...((await last()) === 0 && { hint }),
      entries: all.slice(-limit).map(summarize),
    }
  },
  isReading,
  { names: { entry: 'id', since: 'after', wait: 'wait_s' }, rest: 'filter' },
)

/** An entry without its messages and settings. */
function summarize(entry: JournalEntry): object {
  const { request: _, settings: __, changes: ___, response, nearest, ...line } = entry
  return { ...line, status: response.status, ...(nearest && { nearest: nearest[0] }) }
}

export const report = tool(
  'report',
  'List the client mistakes, with cures: after an entry, only those that later requests show. settings: what its responses depend on.',
  { after: z.int().optional(), settings: z.boolean().optional() },
  async ({ remote }, { after = 0, settings: hasSettings }) => {
    const { mistakes, settings, ...counts } = await remote.report()
    const shown = mistakes.filter(({ entries }) => entries.some((entry) => entry > after))
    return { ...counts, mistakes: shown, ...(hasSettings && { settings }) }
  },
  isReading,
)

const lists: readonly string[] = ['organizations', 'keys', ...countedListNames]
const list = z.preprocess(
  (sent) => {
    const name = toSnakeCase(String(sent))
    return lists.find((known) => known === name || known === `${name}s`) ?? sent
  },
  z.enum(lists as EditableList[]),
)

export const readRows = tool(
  'read_rows',
  'Find rows, deleted annotations included. With an id: one row.',
  {
    list,
    id: z.union([z.string(), z.int()]).optional(),
    query: z
      .union([z.looseObject({}), name])
      .describe('Such as {"search": "launch", "project": 1, "sort": "-id"}')
      .optional(),
    limit: z.int().optional(),
  },
  async ({ remote: { world, keys } }, { list, id, query, limit = 20 }) => {
    const row = `Row ${id} of ${list}`
    if ((list as string) === 'keys') {
      const all = await keys.list()
      if (id === undefined) return all
      return existing(
        all.find(({ label, value }) => label === id || value === id),
        row,
      )
    }
    if (id !== undefined) return existing(await world.get(list, id), row)
    const filter = typeof query === 'string' ? { search: query } : query
    return world.find(list, { limit, ...filter })
  },
  isReading,
  { names: { table: 'list', type: 'list', where: 'query', filter: 'query' }, rest: 'query' },
)

export const findSettings = tool(
  'settings',
  'Find what the API documentation leaves open, by words of its id, question or evidence; or set values.',
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
    const found = before.filter((setting) => {
      const whole = JSON.stringify(setting).toLowerCase()
      return words.every((word) => whole.includes(word))
    })
    const areas = [...new Set(before.map(({ id }) => id.split('.')[0]))].join(', ')
    if (found.length === 0)
      throw new UsageError(`No setting has ${text}. Their areas are ${areas}.`)
    return found.length <= 3
      ? found
      : found.map(({ id, question, value }) => ({ id, question, value }))
  },
  {},
  { names: { id: 'text', query: 'text', search: 'text' }, rest: 'set' },
)

export const scenario = tool(
  'scenario',
  'Run a scenario in its own world, by name or as JSON; record the journal as one; or list their names.',
  {
    run: named
      .describe(
        '{"title": …, "steps": [{"as": "all", "method": "GET", "path": …, "expect": {"status": 200}}]}',
      )
      .optional(),
    options: object('{"world": "odd", "profile": "live"}'),
    record: z.boolean().optional(),
  },
  async ({ remote }, { run, options, record }) => {
    if (record) return remote.record()
    if (run === undefined) return (await remote.scenarios.list()).map(({ name }) => name)
    const name = typeof run === 'string' ? toName(run) : run
    const result = await remote.scenarios.run(name as string | Scenario, options)
    const failed = result.steps.filter(({ outcome }) => outcome !== 'passed')
    return { passed: result.passed, steps: result.steps.length, failed }
  },
  {},
  { names: { name: 'run', scenario: 'run' } },
)

/** @example toName('scenarios/soft-delete.json') // 'soft-delete' */
function toName(file: string): string {
  return file.replace(/^.*\/|\.json$/g, '')
}
