import { closeSync, openSync, readSync } from 'node:fs'
import * as z from 'zod'
import { classifyEntry, formatLeftOut } from '../../adapters/har/parse-entry.ts'
import { ExchangeSorter } from '../../analysis/traffic/exchange-sorter.ts'
import { type Survey, TrafficSurvey } from '../../analysis/traffic/from-traffic.ts'
import { journalExchange } from '../../analysis/traffic/journal-exchange.ts'
import type { Exchange } from '../../http/exchange.ts'
import { defaultWorld } from '../../remote/client.ts'
import type { JournalEntry } from '../../sandbox/journal/entry.ts'
import { parseScenario } from '../../scenarios/format/check-scenario.ts'
import { isRequestStep, type Scenario } from '../../scenarios/format/scenario.ts'
import { readScenario, readScenarioText } from '../../scenarios/library.ts'
import { Recorder, toScenario } from '../../scenarios/recording/recorder.ts'
import { journalEntrySchema } from '../../server/control/journal-schemas.ts'
import { unreadableFileError } from '../../utils/files.ts'
import { isObject, tryParseJson } from '../../utils/json.ts'
import { describeIssues, suggestFields } from '../../utils/schema-issues.ts'
import { UsageError } from '../../utils/usage-error.ts'
import { readWorld } from '../../world/load/read-world.ts'
import type { WorldJson } from '../../world/world-json.ts'
import { createBaseFinder, parseHar, scanHar } from '../har/read-har.ts'
import { formatCount } from '../output.ts'

/** The requests of a file, as a scenario with its world. */
export interface Traffic {
  readonly scenario: Scenario
  /** Names a request by its number from 1, such as `entry 4` */
  readonly nameOf: (number: number) => string
  /** What the reader of a result must know, in sentences */
  readonly notes: readonly string[]
}

/** How a file is read. */
export interface ReadTrafficOptions {
  /** The name or the file of the world before the first request, instead of the one that the file shows */
  readonly world?: string
  /** The base URL of the API, for a HAR archive */
  readonly base?: string
  /** Further names of secrets */
  readonly redact?: readonly string[]
}

/** Reads a HAR archive, a scenario or a journal. @throws UsageError with every issue of the file */
export async function readTraffic(file: string, options: ReadTrafficOptions): Promise<Traffic> {
  if (isHar(file)) return readHar(file, options)
  const entries = journalEntries(await readScenarioText(file))
  return entries ? readJournal(file, entries, options) : readSteps(file, options)
}

/** Whether a file begins as a HAR archive does. It can be large, so only its beginning is read. */
function isHar(file: string): boolean {
  const start = Buffer.alloc(4_096)
  try {
    const descriptor = openSync(file, 'r')
    readSync(descriptor, start)
    closeSync(descriptor)
  } catch (error) {
    throw unreadableFileError(file, error)
  }
  return /^\uFEFF?\s*\{\s*"log"\s*:/.test(start.toString())
}

async function readSteps(file: string, { world }: ReadTrafficOptions): Promise<Traffic> {
  const scenario = await readScenario(file, { inlineWorld: true })
  const numbers = scenario.steps.flatMap((step, index) => (isRequestStep(step) ? [index + 1] : []))
  if (numbers.length === 0) {
    throw new UsageError(`${file} has no request. Record some: npx understudy-api record.`)
  }
  const nameOf = (number: number): string => `step ${numbers[number - 1]}`
  if (world === undefined && scenario.world !== undefined) return { scenario, nameOf, notes: [] }
  const started = { ...scenario, world: await readWorld(world ?? defaultWorld) }
  const note = `${file} names no world. It was repeated in "${defaultWorld}". Use --world NAME if it started with another one.`
  return { scenario: parseScenario(started), nameOf, notes: world === undefined ? [note] : [] }
}

/** Reads the file twice: for its rows and lost responses, and for its requests. */
async function readHar(file: string, options: ReadTrafficOptions): Promise<Traffic> {
  const findBase = createBaseFinder(options.base)
  const onBytes = (): void => {}
  const world = await readKnownWorld(options)
  const traffic = new TrafficSurvey({ keys: keysOf(world) })
  const { baseUrl, leftOut } = await scanHar(file, findBase, onBytes, (exchange) =>
    traffic.add(exchange),
  )
  const steps = new ExchangeSteps(traffic.finish(), world, { ...options, baseUrl })
  await parseHar(file, {
    entry(entry, index) {
      const classified = classifyEntry(entry, `log.entries[${index}]`, findBase)
      if ('exchange' in classified) steps.add(classified.exchange, index + 1)
    },
    onBytes,
  })
  const rest = leftOut.size === 0 ? [] : [`Left out: ${formatLeftOut(leftOut)}.`]
  return steps.finish(rest)
}

/** The values of a text that can be a journal: a list, or an entry in each line. Null for any other text. */
function journalEntries(text: string): readonly unknown[] | null {
  const start = text.trimStart()
  if (start.startsWith('[')) {
    const value = tryParseJson(text)?.value
    return Array.isArray(value) ? value : null
  }
  const lines = start.split('\n').filter((line) => line.trim() !== '')
  const values = lines.map((line) => tryParseJson(line)?.value)
  return values.every((value) => isObject(value) && 'request' in value) ? values : null
}

async function readJournal(
  file: string,
  values: readonly unknown[],
  options: ReadTrafficOptions,
): Promise<Traffic> {
  if (values.length === 0) throw new UsageError(`${file} has no entry. Send requests first.`)
  const { error } = z.array(journalEntrySchema).safeParse(values, suggestFields)
  const issues = error ? describeIssues(error, values, 'journal') : []
  if (issues.length > 0) {
    throw new UsageError(
      `${file} is not a valid journal: ${formatCount(issues.length, 'problem')}.`,
      issues,
    )
  }
  const entries = values as readonly JournalEntry[]
  const world = await readKnownWorld(options)
  const traffic = new TrafficSurvey({ keys: keysOf(world) })
  for (const entry of entries) traffic.add(journalExchange(entry))
  const steps = new ExchangeSteps(traffic.finish(), world, options)
  for (const entry of entries) steps.add(journalExchange(entry), entry.id)
  return steps.finish([])
}

/** The world of `--world`. Undefined without it. */
async function readKnownWorld({ world }: ReadTrafficOptions): Promise<WorldJson | undefined> {
  return world === undefined ? undefined : readWorld(world)
}

function keysOf(world: WorldJson | undefined): Record<string, string> {
  const keys = world?.keys ?? []
  return Object.fromEntries(keys.flatMap(({ label, value }) => (value ? [[label, value]] : [])))
}

/** Makes the steps of exchanges, in the order in which the service got them. */
class ExchangeSteps {
  readonly #survey: Survey
  readonly #world: WorldJson | undefined
  readonly #recorder: Recorder
  readonly #sorter: ExchangeSorter
  /** The numbers of the entries, in the order of the exchanges, and in that of the request steps. */
  readonly #numbers: number[] = []
  readonly #ordered: number[] = []
  readonly #warnings: string[] = []

  constructor(
    survey: Survey,
    world: WorldJson | undefined,
    { redact, baseUrl }: Pick<ReadTrafficOptions, 'redact'> & { readonly baseUrl?: string },
  ) {
    this.#survey = survey
    this.#world = world
    const { keys, faults, order } = survey
    this.#recorder = new Recorder({
      keys,
      ...(redact && { redact }),
      ...(baseUrl !== undefined && { baseUrl }),
    })
    this.#sorter = new ExchangeSorter(order, (exchange, index) => {
      const fault = faults.get(index)
      if (fault) this.#recorder.addChange({ fault })
      const { changed, warnings } = this.#recorder.add(survey.withKey(exchange))
      this.#warnings.push(...warnings)
      if (changed.length > 0) this.#ordered.push(this.#numbers[index] as number)
    })
  }

  /** @param number the number of the entry in its file */
  add(exchange: Exchange, number: number): void {
    this.#numbers.push(number)
    this.#sorter.add(exchange)
  }

  finish(notes: readonly string[]): Traffic {
    const { clock, assumptions, world } = this.#survey
    const recorder = this.#recorder
    const scenario = toScenario(recorder, {
      world: this.#world ?? recorder.hideInWorld(world),
      ...(clock !== undefined && { clock }),
    })
    const values = formatCount(assumptions.length, 'assumption')
    const derived = `The world before the first request was derived from the responses, with ${values}.`
    return {
      scenario: parseScenario(scenario),
      nameOf: (number) => `entry ${this.#ordered[number - 1]}`,
      notes: [...notes, ...(this.#world ? [] : [derived]), ...this.#warnings],
    }
  }
}
