import { deflateRawSync, inflateRawSync } from 'node:zlib'
import { classifyEntry } from '../../adapters/har/classify-entry.ts'
import type { Exchange } from '../../http/exchange.ts'
import type { Scenario, Step } from '../../scenarios/format/scenario.ts'
import type { Packing } from '../../scenarios/recording/generalized-steps.ts'
import { Recorder } from '../../scenarios/recording/recorder.ts'
import { type RecordingHead, toScenarioHead } from '../../scenarios/recording/write-scenario.ts'
import { formatJson } from '../output/format-json.ts'
import { parseHar } from './parse-har.ts'
import { baseUrlMatcher, type HarScan, scanHar } from './scan-har.ts'

/** How an archive becomes a scenario. */
export interface HarImportOptions {
  /** Where the API begins; by default wherever a path of it stands */
  readonly base?: string
  /** The values of keys by their labels */
  readonly keys: Readonly<Record<string, string>>
  /** The label of the key of requests that tell none, as browsers leave keys out */
  readonly as?: string
  /** Whether secrets and personal data stay as they are */
  readonly keep?: boolean
  readonly header: RecordingHead
  /** Told of each piece that was read; the file is read twice */
  readonly onRead?: (bytes: number) => void
}

/** What was made of an archive. */
export interface ImportedHar {
  readonly header: Omit<Scenario, 'steps'>
  /** Made one by one, as they are asked for: together they may be large */
  readonly steps: Iterable<Step>
  /** Where the API begins */
  readonly baseUrl: string
  /** How many steps there are */
  readonly requests: number
  /** How many entries are something else, by what they are */
  readonly leftOut: HarScan['leftOut']
  /** What is not in it, in whole sentences */
  readonly warnings: readonly string[]
}

/**
 * The requests of the API in an archive as a scenario. The file is read twice: once to look for faults and for what
 * belongs to the API, and once for that alone, so that what a browser asked for besides takes no memory.
 *
 * @throws UsageError with every fault of the file
 */
export async function importHar(file: string, options: HarImportOptions): Promise<ImportedHar> {
  const found = await scanHar(file, options.base, options.onRead)
  const { keys, keep = false, header } = options
  const recorder = new Recorder({ baseUrl: found.baseUrl, keys, keep, packing: deflateSteps })
  const warnings: string[] = []
  const add = (exchange: Exchange): void => {
    warnings.push(...recorder.add(withDefaultKey(exchange, options)).warnings)
  }
  const unsorted: Exchange[] = []
  await parseHar(file, {
    entry(entry, index) {
      const sifted = classifyEntry(entry, `log.entries[${index}]`, baseUrlMatcher(options.base))
      if (!('exchange' in sifted)) return
      if (found.isSorted) add(sifted.exchange)
      else unsorted.push(sifted.exchange)
    },
    ...(options.onRead && { onBytes: options.onRead }),
  })
  // The format leaves the order of entries to who reads them.
  for (const exchange of unsorted.sort((a, b) => (a.at < b.at ? -1 : Number(a.at > b.at)))) {
    add(exchange)
  }
  return {
    header: toScenarioHead(header),
    steps: recordedSteps(recorder),
    baseUrl: found.baseUrl,
    requests: recorder.length,
    leftOut: found.leftOut,
    warnings: [...warnings, ...missingKeyWarnings(found, options)],
  }
}

/** Where no key came, and the answer does not ask for one, the browser has left it out. */
function withDefaultKey(exchange: Exchange, { as }: HarImportOptions): Exchange {
  const { request, answer, key } = exchange
  if (as === undefined || key !== undefined || answer.status === 401) return exchange
  return request.headers.some(([name]) => /^authorization$/i.test(name))
    ? exchange
    : { ...exchange, key: as }
}

function* recordedSteps(recorder: Recorder): Iterable<Step> {
  for (let index = 0; index < recorder.length; index++) yield recorder.step(index)
}

function missingKeyWarnings({ hasKeys }: HarScan, { as }: HarImportOptions): string[] {
  if (hasKeys || as !== undefined) return []
  return [
    'No request in it tells its key: browsers leave keys out unless they are asked to export sensitive data. --as LABEL says with which key to replay.',
  ]
}

/** A scenario as a file, step by step. */
export function* serializeScenario(
  head: Omit<Scenario, 'steps'>,
  steps: Iterable<Step>,
): Generator<string> {
  yield `${JSON.stringify(head, null, 2).slice(0, -2)},\n  "steps": [`
  let before = '\n'
  for (const step of steps) {
    yield `${before}    ${formatJson(step, '    ')}`
    before = ',\n'
  }
  yield '\n  ]\n}\n'
}

/** Keeps steps compressed: JSON takes a tenth of its length, and none of the heap. */
const deflateSteps: Packing = {
  // A copy: what zlib gives back is the beginning of 16 KiB, all of which would be kept.
  pack: (step) => Buffer.from(deflateRawSync(JSON.stringify(step), { level: 1 })),
  unpack: (packed) => JSON.parse(inflateRawSync(packed as Uint8Array).toString()) as Step,
}
