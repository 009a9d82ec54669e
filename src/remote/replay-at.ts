import {
  type ParsedScenario,
  parseScenario,
  replayError,
} from '../scenarios/format/check-scenario.ts'
import type { Scenario } from '../scenarios/format/scenario.ts'
import {
  checkTargetUrl,
  createHttpTarget,
  findHttpTargetIssues,
  type HttpTargetOptions,
} from '../scenarios/run/http-target.ts'
import { toUnreachableError, UnreachableError } from '../scenarios/run/read-response.ts'
import type { ReplayResult } from '../scenarios/run/result.ts'
import { type ReplayOptions, resolveSetup, runScenario } from '../scenarios/run/run-scenario.ts'
import { createSimulatorTarget } from '../scenarios/run/simulator-target.ts'
import type { Target } from '../scenarios/run/target.ts'
import { RemoteError } from './client.ts'
import type { Remote } from './connect.ts'
import { connect } from './connect.ts'

/** Where a scenario is replayed over HTTP, and how. */
export interface ReplayAtOptions extends ReplayOptions, HttpTargetOptions {
  /** What the server was started with as `--token` */
  readonly token?: string
}

/**
 * Replays a scenario against a base URL. A server of ours gets a sandbox for it, which ends with it. Anything
 * else, and whatever keys are given for, is asked as it is: its world, policies and clock stay what they are, the
 * scenario may only send requests, and writes have to be allowed.
 *
 * @throws UsageError with every fault of the scenario, UnreachableError where nothing answers
 * @example await replayAt('http://127.0.0.1:4010', scenario)
 */
export async function replayAt(
  url: string,
  source: Scenario,
  options: ReplayAtOptions = {},
): Promise<ReplayResult> {
  const scenario = parseScenario(source)
  checkTargetUrl(url)
  const { key, keys, token } = options
  const hasKeys = key !== undefined || keys !== undefined
  const remote = hasKeys ? null : await connectIfSimulator(url, token)
  if (remote)
    return runScenario(scenario, () => createSandboxTarget(remote, scenario, options), options)
  const issues = findHttpTargetIssues(scenario, options)
  if (issues.length > 0) throw replayError(issues)
  return runScenario(scenario, async () => createHttpTarget(url, options), options)
}

/** The control API there; null where another service answers. */
async function connectIfSimulator(url: string, token: string | undefined): Promise<Remote | null> {
  const remote = connect(url, token === undefined ? {} : { token })
  try {
    await remote.health()
    return remote
  } catch (error) {
    if (!(error instanceof RemoteError)) throw error
    if (error.status === null) {
      // Ours speaks HTTP only: what is wrong with another one is not mended by starting ours.
      const reason = url.startsWith('https:') ? toUnreachableError(url, error.cause) : null
      throw reason ?? new UnreachableError(error.message)
    }
    // A refusal in our own words: it wants another token.
    if (error.code !== null && error.status !== 404) throw error
    return null
  }
}

async function createSandboxTarget(
  remote: Remote,
  scenario: ParsedScenario,
  options: ReplayOptions,
): Promise<Target> {
  const { world, ...beginning } = resolveSetup(scenario, options)
  const from = typeof world === 'string' ? { from: world } : {}
  const made = await remote.sandboxes.create({ ...beginning, ...from, ttl_s: sandboxLifetime })
  const end = () => remote.sandboxes.delete(made.id)
  const { remote: own } = made
  try {
    if (typeof world === 'object') await own.world.replace({ ...world, ...pickSeed(beginning) })
    const stage = { ...own, addRows: own.world.add, replaceWorld: own.world.replace }
    const read = async () => [JSON.stringify(await own.world.read())]
    const target = await createSimulatorTarget(stage, {
      baseUrl: own.url,
      world: read,
      editor: own.world,
      end,
    })
    return {
      ...target,
      change: (change) =>
        target.change(change).catch((error) => Promise.reject(asUnreachable(error))),
    }
  } catch (error) {
    // What went wrong first is what is told.
    await end().catch(() => {})
    throw error
  }
}

/** A server that no longer responds ends the replay. Any other error is a difference of the step. */
function asUnreachable(error: unknown): unknown {
  const isUnreachable = error instanceof RemoteError && error.status === null
  return isUnreachable ? new UnreachableError(error.message) : error
}

/** How long a sandbox is there for a replay that never ends it, as one that is interrupted: seconds. */
const sandboxLifetime = 3_600

function pickSeed({ seed }: Pick<Scenario, 'seed'>): { seed?: number } {
  return seed === undefined ? {} : { seed }
}
