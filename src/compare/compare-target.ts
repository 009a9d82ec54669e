import { checkTargetUrl, type KeyValues } from '../scenarios/run/sender.ts'
import type { SettingValues } from '../settings/setting.ts'
import { formatCount } from '../utils/text.ts'
import { Clock } from '../world/clock/clock.ts'
import { compareServer } from './compare-server.ts'
import type { Comparison } from './comparison.ts'
import { parseKeys } from './keys.ts'

/** A server that is compared, and how many requests it gets. */
interface CompareTargetOptions {
  readonly target: string
  /** The keys of the server, whose labels say their scopes */
  readonly key?: KeyValues
  readonly project?: string
  readonly organization?: string
  readonly allowWrites?: boolean
  /** Requests per second */
  readonly rate: number
  readonly maxRequests: number
  readonly expected: SettingValues
  readonly signal: AbortSignal
}

/**
 * Compares a server by requests over HTTP.
 *
 * @param follow waits, and says how far the comparison is
 * @throws UsageError for an invalid URL or label, and if the server refuses the keys
 */
export function compareTarget(
  { target: url, key: { keys = {} } = {}, allowWrites = false, ...options }: CompareTargetOptions,
  follow: (describe: () => string, work: Promise<Comparison>) => Promise<Comparison>,
): Promise<Comparison> {
  const { project, organization, maxRequests } = options
  checkTargetUrl(url, 'compare')
  const parsed = parseKeys(keys)
  let [requests, simulated] = [0, 0]
  const describe = (): string =>
    simulated === 0
      ? `${requests} of at most ${formatCount(maxRequests, 'request')} sent`
      : `${formatCount(simulated, 'request')} sent to simulators`
  const work = compareServer({
    ...{ ...options, url, keys: parsed, project, organization, allowWrites },
    send: (url, init) => {
      requests += 1
      return fetch(url, init)
    },
    onSimulated() {
      simulated += 1
    },
    // Differs between comparisons, and is a word that a search finds.
    marker: new Clock().now().toString(36),
  })
  return follow(describe, work)
}
