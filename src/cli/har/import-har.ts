import { deflateRawSync, inflateRawSync } from 'node:zlib'
import { classifyEntry } from '../../adapters/har/parse-entry.ts'
import type { Exchange } from '../../http/exchange.ts'
import type { Scenario, Step } from '../../scenarios/format/scenario.ts'
import type { Packing } from '../../scenarios/recording/generalized-steps.ts'
import { Recorder } from '../../scenarios/recording/recorder.ts'
import { type RecordingHead, toScenarioHead } from '../../scenarios/recording/write-scenario.ts'
import { formatJson } from '../output/format-json.ts'
import { parseHar } from './parse-har.ts'
import { baseUrlMatcher, type HarScan, scanHar } from './scan-har.ts'

/** How an archive is converted to a scenario. */
export interface HarImportOptions {
  /** The base URL of the API; by default it is detected */
  readonly base?: string
  /** The values of keys by their labels */
  readonly keys: Readonly<Record<string, string>>
  /** The label of the key of requests without one, because browsers leave keys out */
  readonly as?: string
  /** Whether to keep secrets and personal data */
  readonly keep?: boolean
  readonly header: RecordingHead
  /** Called with the length of each chunk. The file is read twice. */
  readonly onRead?: (bytes: number) => void
}

/** An archive as a scenario. */
export interface ImportedHar {
  readonly header: Omit<Scenario, 'steps'>
  /** Created one by one, because all of them can take much memory */
  readonly steps: Iterable<Step>
  /** The base URL of the API */
  readonly baseUrl: string
  /** The number of steps */
  readonly requests: number
  /** The number of other entries, by reason */
  readonly leftOut: HarScan['leftOut']
  /** What the scenario leaves out of the requests, in sentences */
  readonly warnings: readonly string[]
}

/**
 * Converts the API requests in an archive to a scenario. Reads the file twice: once to find issues and the base URL,
 * and once to convert the requests. Other entries take no memory.
 *
 * @throws UsageError with every issue of the file
 */
export async function importHar(file: string, options: HarImportOptions): Promise<ImportedHar> {
  const scan = await scanHar(file, options.base, options.onRead)
  const { keys, keep = false, header } = options
  const recorder = new Recorder({ baseUrl: scan.baseUrl, keys, keep, packing: deflateSteps })
  const warnings: string[] = []
  const add = (exchange: Exchange): void => {
    warnings.push(...recorder.add(withDefaultKey(exchange, options)).warnings)
  }
  const unsorted: Exchange[] = []
  await parseHar(file, {
    entry(entry, index) {
      const classified = classifyEntry(entry, `log.entries[${index}]`, baseUrlMatcher(options.base))
      if (!('exchange' in classified)) return
      if (scan.isSorted) add(classified.exchange)
      else unsorted.push(classified.exchange)
    },
    ...(options.onRead && { onBytes: options.onRead }),
  })
  // The format does not define the order of entries.
  for (const exchange of unsorted.sort((a, b) => (a.at < b.at ? -1 : Number(a.at > b.at)))) {
    add(exchange)
  }
  return {
    header: toScenarioHead(header),
    steps: recordedSteps(recorder),
    baseUrl: scan.baseUrl,
    requests: recorder.length,
    leftOut: scan.leftOut,
    warnings: [...warnings, ...missingKeyWarnings(scan, options)],
  }
}

/** Sets the default key on a request without a key. A 401 means that the request really had none. */
function withDefaultKey(exchange: Exchange, { as }: HarImportOptions): Exchange {
  const { request, response, key } = exchange
  if (as === undefined || key !== undefined || response.status === 401) return exchange
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
    'The requests have no keys, because browsers leave them out unless you export sensitive data. Set the key for the replay with --as LABEL.',
  ]
}

/** Serializes a scenario step by step. */
export function* serializeScenario(
  head: Omit<Scenario, 'steps'>,
  steps: Iterable<Step>,
): Generator<string> {
  yield `${JSON.stringify(head, null, 2).slice(0, -2)},\n  "steps": [`
  let separator = '\n'
  for (const step of steps) {
    yield `${separator}    ${formatJson(step, '    ')}`
    separator = ',\n'
  }
  yield '\n  ]\n}\n'
}

/** Compresses steps. They take a tenth of their length, outside the heap. */
const deflateSteps: Packing = {
  // Copies the result, because zlib returns a slice of a 16 KiB buffer, which would stay in memory.
  pack: (step) => Buffer.from(deflateRawSync(JSON.stringify(step), { level: 1 })),
  unpack: (packed) => JSON.parse(inflateRawSync(packed as Uint8Array).toString()) as Step,
}
