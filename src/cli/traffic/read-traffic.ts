import { formatLeftOut } from '../../adapters/har/parse-entry.ts'
import { type Assumption, describeAssumptions } from '../../analysis/traffic/assumption.ts'
import { type Survey, TrafficSurvey } from '../../analysis/traffic/from-traffic.ts'
import type { Exchange } from '../../http/exchange.ts'
import { defaultWorld } from '../../remote/client.ts'
import { parseScenario } from '../../scenarios/format/check-scenario.ts'
import { isRequestStep, type Scenario } from '../../scenarios/format/scenario.ts'
import { readScenario } from '../../scenarios/library.ts'
import { Recorder, toScenario } from '../../scenarios/recording/recorder.ts'
import { UsageError } from '../../utils/usage-error.ts'
import { readWorld } from '../../world/load/read-world.ts'
import type { WorldJson } from '../../world/world-json.ts'
import { formatCount } from '../output.ts'
import { kindOfFile, type ReadExchanges, readExchanges } from './read-exchanges.ts'

/** The requests of a file, as a scenario with its world. */
export interface Traffic {
  readonly scenario: Scenario
  /** Names a request by its number from 1, such as `entry 4` */
  readonly nameOf: (number: number) => string
  /** The values of the world that the responses do not show */
  readonly assumptions: readonly Assumption[]
  /** What the reader of a result must know, in sentences */
  readonly notes: readonly string[]
}

/** How a file is read. */
interface ReadTrafficOptions {
  /** The name or the file of the world before the first request, instead of the one that the file shows */
  readonly world?: string
  /** The base URL of the API, for a HAR archive */
  readonly base?: string
  /** Further names of secrets */
  readonly redact?: readonly string[]
}

/** Reads a HAR archive, a scenario or a journal. @throws UsageError with every issue of the file */
export async function readTraffic(file: string, options: ReadTrafficOptions): Promise<Traffic> {
  const kind = kindOfFile(file)
  if (kind !== 'archive' && kind !== 'journal') return readSteps(file, options)
  const world = options.world === undefined ? undefined : await readWorld(options.world)
  const survey = new TrafficSurvey({ keys: keysOf(world) })
  const onExchange = (exchange: Exchange): void => void survey.add(exchange)
  const read = await readExchanges(file, options.base, () => {}, onExchange)
  return toTraffic(read, survey.finish(), world, options.redact)
}

async function readSteps(file: string, { world }: ReadTrafficOptions): Promise<Traffic> {
  const scenario = await readScenario(file, { inlineWorld: world === undefined })
  const numbers = scenario.steps.flatMap((step, index) => (isRequestStep(step) ? [index + 1] : []))
  if (numbers.length === 0) {
    throw new UsageError(`${file} has no request. Record some: npx understudy-api record.`)
  }
  const nameOf = (number: number): string => `step ${numbers[number - 1]}`
  const assumptions: Assumption[] = []
  if (world === undefined && scenario.world !== undefined) {
    return { scenario, nameOf, assumptions, notes: [] }
  }
  const started = { ...scenario, world: await readWorld(world ?? defaultWorld) }
  const note = `${file} names no world. It was repeated in "${defaultWorld}". Use --world NAME if it started with another one.`
  const notes = world === undefined ? [note] : []
  return { scenario: parseScenario(started), nameOf, assumptions, notes }
}

function keysOf(world: WorldJson | undefined): Record<string, string> {
  const keys = world?.keys ?? []
  return Object.fromEntries(keys.flatMap(({ label, value }) => (value ? [[label, value]] : [])))
}

/** Makes the steps of exchanges, in the order in which the service got them. */
function toTraffic(
  { exchanges, numbers, baseUrl, leftOut }: ReadExchanges,
  survey: Survey,
  known: WorldJson | undefined,
  redact: readonly string[] | undefined,
): Traffic {
  const { keys, order, clock, world } = survey
  const assumptions = known ? [] : survey.assumptions
  const recorder = new Recorder({
    keys,
    ...(redact && { redact }),
    ...(baseUrl !== undefined && { baseUrl }),
  })
  const ordered: number[] = []
  const notes = leftOut.size === 0 ? [] : [`Left out: ${formatLeftOut(leftOut)}.`]
  if (!known) {
    const values = formatCount(assumptions.length, 'assumption')
    notes.push(
      `The world before the first request was derived from the responses, with ${values}.`,
      ...describeAssumptions(assumptions),
    )
  }
  for (const index of order) {
    const exchange = survey.withKey(exchanges.at(index))
    const { changed, warnings } = recorder.add(exchange, survey.faultOf(index))
    notes.push(...warnings)
    if (changed.length > 0) ordered.push(numbers[index] as number)
  }
  const scenario = toScenario(recorder, {
    world: known ?? recorder.hideInWorld(world),
    ...(clock !== undefined && { clock }),
  })
  return {
    scenario: parseScenario(scenario),
    nameOf: (number) => `entry ${ordered[number - 1]}`,
    assumptions,
    notes,
  }
}
