import { exchangesToHar } from '../adapters/har/write-har.ts'
import type { Exchange } from '../http/exchange.ts'
import { toReplaying } from '../import/answers.ts'
import { type ImportedScenario, importExchanges } from '../import/import-exchanges.ts'
import { isRequestStep } from '../scenarios/format/scenario.ts'
import { createHider } from '../scenarios/recording/recorder.ts'
import { type KeyValues, toUnreachableError } from '../scenarios/run/sender.ts'
import { knownKeys } from '../scenarios/run/simulator-for.ts'
import { formatJson } from '../utils/format-json.ts'
import { UnreachableError } from '../utils/network.ts'
import { writeNamedFile } from '../world/persistence/atomic-write.ts'
import { startProxy } from './recording-proxy.ts'

/** What is recorded, and where it is written. */
export interface RecordOptions {
  /** The URL of the service, without a slash at its end */
  readonly target: string
  /** Of the proxy. 0 selects any free port */
  readonly port: number
  /** The file of the scenario */
  readonly out: string
  /** The file of a HAR archive */
  readonly har?: string
  readonly title?: string
  /** The keys of the client, by label */
  readonly key?: KeyValues
  /** Whether secrets and personal data stay */
  readonly keep?: boolean
  readonly redact?: readonly string[]
}

/** Follows a recording. Paths have no secrets. */
interface RecordingView {
  request(exchange: Exchange, path: string): void
  /** @param isFailure whether a request was not recorded by failure or lack of room */
  problem(sentence: string, isFailure?: boolean): void
}

/** A proxy that records. */
interface RunningRecording {
  readonly url: string
  /** Stops the proxy, derives the world, and writes the files. */
  end(): Promise<Recorded>
}

export interface Recorded {
  readonly requests: number
  /** How many requests went to other paths than those of the API */
  readonly leftOut: number
  /** What the reader of the scenario should know */
  readonly sentences: readonly string[]
}

/**
 * Records the requests to a service through a proxy. The files are written at the end.
 *
 * @throws UnreachableError if the service does not respond
 */
export async function recordService(
  { target, port, out, har, key, keep = false, redact, ...rest }: RecordOptions,
  view: RecordingView,
): Promise<RunningRecording> {
  const options = {
    ...{ baseUrl: target, keys: knownKeys(key), keep, redact },
    title: rest.title ?? `Recorded from ${target}`,
  }
  const hider = createHider(options)
  const shorten = (url: string): string => (keep ? url : hider.url(url)).slice(target.length)
  const exchanges: Exchange[] = []
  await checkReachable(target)
  let leftOut = 0
  const proxy = await startProxy({
    target,
    port,
    onExchange(exchange) {
      // A key of an unknown form is hidden once a header has shown it.
      hider.collect(exchange)
      exchanges.push(exchange)
      view.request(exchange, shorten(exchange.url))
    },
    onSkipped({ method, url, reason, isFailure }) {
      view.problem(`${method} ${shorten(url)} is not recorded: ${reason}`, isFailure)
    },
    onOther() {
      leftOut += 1
    },
  })
  return {
    url: proxy.url,
    async end() {
      await proxy.close()
      const imported = await importExchanges(exchanges, options)
      const { scenario, sentences } = await toReplaying(imported, imported.scenario)
      await writeRecording({ ...imported, scenario }, out, har)
      return { requests: scenario.steps.filter(isRequestStep).length, leftOut, sentences }
    },
  }
}

/** @throws UnreachableError if nothing responds */
async function checkReachable(target: string, seconds = 10): Promise<void> {
  const signal = AbortSignal.timeout(seconds * 1_000)
  const response = await fetch(target, { redirect: 'manual', signal }).catch((error) => {
    if (error.name !== 'TimeoutError') throw toUnreachableError(target, error) ?? error
    throw new UnreachableError(
      `${target} did not respond within ${seconds} seconds. Check the address.`,
    )
  })
  await response.body?.cancel()
}

/** Writes what was recorded. A scenario without requests would be no scenario. */
async function writeRecording(
  { scenario, exchanges }: ImportedScenario,
  out: string,
  har: string | undefined,
): Promise<void> {
  if (exchanges.length === 0) return
  if (scenario.steps.some(isRequestStep)) await writeNamedFile(out, `${formatJson(scenario)}\n`)
  if (har !== undefined) await writeNamedFile(har, JSON.stringify(exchangesToHar(exchanges)))
}
