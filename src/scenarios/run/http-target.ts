import { UsageError, unexpectedValue } from '../../utils/usage-error.ts'
import type { ParsedScenario } from '../format/check-scenario.ts'
import { isRequestStep } from '../format/scenario.ts'
import { readResponse } from './read-response.ts'
import type { Target } from './target.ts'

/** How another service is asked. */
export interface HttpTargetOptions {
  /** Values of keys by their labels */
  readonly keys?: Readonly<Record<string, string>>
  /** The value of every key that is not named */
  readonly key?: string
  /** Whether it may be written to; by default it is only read from. */
  readonly allow_writes?: boolean
}

/** How long an answer may take, in milliseconds. */
const responseTimeout = 60_000

/** Any base URL. Its world is as it is: it is neither set up before nor cleaned up after. */
export function createHttpTarget(url: string, { keys = {}, key }: HttpTargetOptions): Target {
  return {
    baseUrl: url.replace(/\/*$/, ''),
    key: (label) => (Object.hasOwn(keys, label) ? keys[label] : key),
    send: ({ url: address, ...init }) => {
      const signal = AbortSignal.timeout(responseTimeout)
      return readResponse(address, fetch(address, { ...init, redirect: 'manual', signal }))
    },
    change: () =>
      Promise.reject(
        new UsageError('Failed to change the world: expected a target with a control API.'),
      ),
    policies: async () => [],
    settings: async () => ({}),
    world: async () => null,
    clock: async () => null,
    close: async () => {},
  }
}

/** Every step that another service must not be asked, or cannot be: each with its path. */
export function findHttpTargetIssues(
  { steps }: ParsedScenario,
  { allow_writes = false }: HttpTargetOptions,
): string[] {
  return steps.flatMap((step, index) => {
    const path = `steps[${index}]`
    if (!isRequestStep(step)) {
      const [word] = Object.keys(step).filter((name) => name !== 'title')
      return [
        `${path}.${word}: expected requests only, as this target has no control API to change its world by`,
      ]
    }
    if (allow_writes || ['GET', 'HEAD', 'OPTIONS'].includes(step.method)) return []
    return [
      `${path}.method: expected a read, got ${step.method}: --allow-writes lets it through to a target that is not ours`,
    ]
  })
}

/** @throws UsageError for what is no address */
export function checkTargetUrl(url: string): void {
  if (/^https?:/.test(url) && URL.canParse(url)) return
  throw unexpectedValue(
    'replay',
    'an address such as http://127.0.0.1:4010',
    url,
    undefined,
    'target',
  )
}
