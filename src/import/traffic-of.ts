import { formatLeftOut } from '../adapters/har/parse-entry.ts'
import { type ParsedScenario, parseScenario } from '../scenarios/format/check-scenario.ts'
import { isRequestStep } from '../scenarios/format/scenario.ts'
import { scenarioOfFile } from '../scenarios/library.ts'
import { formatStepWarnings } from '../scenarios/recording/step-warnings.ts'
import { UsageError } from '../utils/errors.ts'
import type { Input } from '../utils/input.ts'
import { readWorld } from '../world/load/read-world.ts'
import type { WorldJson } from '../world/world-json.ts'
import { deriveTraffic } from './from-traffic.ts'
import { kindOf, readExchanges } from './read-exchanges.ts'
import type { ReadExchanges } from './read-har.ts'

/** The requests of a file, as a scenario with its world. */
interface Traffic {
  readonly scenario: ParsedScenario
  /** Names a request by the index of its step, such as `entry 4` */
  readonly nameOf: (step: number) => string
  /** What the reader of a result must know, in sentences */
  readonly notes: readonly string[]
  /** The indexes of steps that others may have taken */
  readonly possible: readonly number[]
}

/** How a file is read. */
interface ReadTrafficOptions {
  /** The world before the first request, instead of the one that the file shows */
  readonly world?: WorldJson | undefined
  /** The base URL of the API, for a HAR archive */
  readonly base?: string | undefined
  /** Further names of secrets */
  readonly redact?: readonly string[] | undefined
  /** Called with each request that is sent to find causes */
  readonly onSent?: () => Promise<void>
}

/** Reads a HAR archive, a scenario or a journal. @throws UsageError with every issue of the file */
export async function trafficOf(
  input: Input,
  { base, ...options }: ReadTrafficOptions,
): Promise<Traffic> {
  if (kindOf(input) === 'scenario') return readSteps(input, options.world)
  return toTraffic(await readExchanges(input, base), options)
}

async function readSteps(input: Input, world: WorldJson | undefined): Promise<Traffic> {
  const { name: file } = input
  const scenario = await scenarioOfFile(input.json(), file, { inlineWorld: world === undefined })
  if (!scenario.steps.some(isRequestStep)) {
    throw new UsageError(`${file} has no request. Record some: npx understudy-api record.`)
  }
  const nameOf = (step: number): string => `step ${step + 1}`
  if (world === undefined && scenario.world !== undefined)
    return { scenario, nameOf, notes: [], possible: [] }
  const started = { ...scenario, world: world ?? (await readWorld('default')) }
  const note = `${file} names no world. It was repeated in "default". Use --world NAME if it started with another one.`
  const notes = world === undefined ? [note] : []
  return { scenario: parseScenario(started), nameOf, notes, possible: [] }
}

function keysOf(world: WorldJson | undefined): Record<string, string> {
  const keys = world?.keys ?? []
  return Object.fromEntries(keys.flatMap(({ label, value }) => (value ? [[label, value]] : [])))
}

/** Makes the steps of exchanges, in the order in which the service got them, with what others wrote between them. */
async function toTraffic(
  { exchanges, numbers, baseUrl, leftOut, warnings: read }: ReadExchanges,
  { world, redact, onSent }: ReadTrafficOptions,
): Promise<Traffic> {
  const options = {
    ...{ keys: keysOf(world), redact, baseUrl, onSent },
    ...(world && { world }),
  }
  const { scenario, warnings, ...traffic } = await deriveTraffic(exchanges, options)
  const nameOf = (step: number): string => `entry ${numbers[traffic.exchangeOf.get(step) ?? -1]}`
  const derived = 'The world before the first request was derived from the responses.'
  return {
    scenario: parseScenario(scenario),
    nameOf,
    notes: [
      ...(leftOut.size === 0 ? [] : [`Left out: ${formatLeftOut(leftOut)}.`]),
      ...(world ? [] : [derived]),
      ...read,
      ...formatStepWarnings(warnings, nameOf),
    ],
    possible: traffic.edits,
  }
}
