import { UsageError, unexpectedValue } from '../../utils/usage-error.ts'
import type { ParsedScenario } from '../format/check-scenario.ts'
import { isRequestStep } from '../format/scenario.ts'
import { readResponse } from './read-response.ts'
import type { Target } from './target.ts'

/** How to send requests to a server other than Understudy. */
export interface HttpTargetOptions {
  /** The values of keys by their labels */
  readonly keys?: Readonly<Record<string, string>>
  /** The value of all other keys */
  readonly key?: string
  /** Whether to send writes. By default only reads are sent */
  readonly allow_writes?: boolean
}

/** In milliseconds. */
const responseTimeout = 60_000

/** A target at any base URL. Its data is neither set up before a replay nor cleaned up afterwards. */
export function createHttpTarget(url: string, { keys = {}, key }: HttpTargetOptions): Target {
  return {
    baseUrl: url.replace(/\/*$/, ''),
    key: (label) => (Object.hasOwn(keys, label) ? keys[label] : key),
    send: ({ url: requestUrl, ...init }) => {
      const signal = AbortSignal.timeout(responseTimeout)
      return readResponse(requestUrl, fetch(requestUrl, { ...init, redirect: 'manual', signal }))
    },
    change: () =>
      Promise.reject(new UsageError('Failed to change the world: the target has no control API.')),
    policies: async () => [],
    settings: async () => ({}),
    world: async () => null,
    clock: async () => null,
    close: async () => {},
  }
}

/** Finds the steps that cannot or must not run in a target without a control API. */
export function findHttpTargetIssues(
  { steps }: ParsedScenario,
  { allow_writes = false }: HttpTargetOptions,
): string[] {
  return steps.flatMap((step, index) => {
    const path = `steps[${index}]`
    if (!isRequestStep(step)) {
      const [kind] = Object.keys(step).filter((name) => name !== 'title')
      return [
        `${path}.${kind}: expected requests only: this target has no control API, so its world cannot be changed`,
      ]
    }
    if (allow_writes || ['GET', 'HEAD', 'OPTIONS'].includes(step.method)) return []
    return [`${path}.method: expected a read, got ${step.method}. Allow writes with --allow-writes`]
  })
}

/** @throws UsageError if the text is not an HTTP URL */
export function checkTargetUrl(url: string): void {
  if (/^https?:/.test(url) && URL.canParse(url)) return
  throw unexpectedValue('replay', 'a URL such as http://127.0.0.1:4010', url, undefined, 'target')
}
