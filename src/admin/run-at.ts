import { endpoints } from '../api/endpoints.ts'
import { explainNothing } from '../explain/run-in-simulator.ts'
import { isSafeMethod } from '../http/messages.ts'
import { type ParsedScenario, parseScenario, runError } from '../scenarios/format/check-scenario.ts'
import { isRequestStep, type RequestStep, type Scenario } from '../scenarios/format/scenario.ts'
import { type RunOptions, resolveSetup, runOptions } from '../scenarios/run/options.ts'
import type { RunResult } from '../scenarios/run/result.ts'
import { explanationOf, type Opened, runScenario } from '../scenarios/run/run-scenario.ts'
import {
  type KeyValues,
  readResponse,
  type Sender,
  toUnreachableError,
} from '../scenarios/run/sender.ts'
import { createSimulatorSender } from '../scenarios/run/simulator-sender.ts'
import { matchesPath } from '../simulator/request-pattern.ts'
import { type Issue, UsageError } from '../utils/errors.ts'
import { checkServerUrl, UnreachableError } from '../utils/network.ts'
import { checkOptions, option, optionsSchema } from '../utils/options.ts'
import { abortOf, wait } from '../utils/wait.ts'
import { connect, type Remote } from './connect.ts'

/** Options of `runAt`. */
export interface RunAtOptions extends RunOptions, KeyValues {
  /** Whether a scenario with writes runs with `key` or `keys`, and on a server other than Understudy */
  readonly allow_writes?: boolean | undefined
  /** The token that the server was started with (`--token`) */
  readonly token?: string | undefined
  /** Ends the run: no further step is sent, and it rejects with the reason */
  readonly signal?: AbortSignal
}

const runAtSchema = optionsSchema<RunAtOptions>({
  ...runOptions,
  keys: option.object,
  key: option.text,
  allow_writes: option.flag,
  token: option.text,
  signal: option.any,
})

/**
 * Runs a scenario over HTTP. On an Understudy server it runs in a sandbox, which is deleted afterwards.
 *
 * With `key` or `keys`, and on any other server, the requests go to the server itself. Then the scenario
 * can contain requests only, its world, settings and clock are left out, and writes need a permission.
 *
 * @param url the base URL of the API
 * @throws UsageError with up to 100 issues of the scenario
 * @throws UnreachableError if the server does not respond
 * @example const { passed, steps } = await runAt('http://127.0.0.1:4010', scenario)
 */
export async function runAt(
  url: string,
  scenario: Scenario,
  options: RunAtOptions = {},
): Promise<RunResult> {
  checkOptions(runAtSchema, options, 'run the scenario')
  const parsed = parseScenario(scenario)
  checkServerUrl(url, 'replay', 'target')
  const { key, keys, token, signal } = options
  const hasKeys = key !== undefined || keys !== undefined
  const remote = hasKeys ? null : await connectIfUnderstudy(url, token)
  if (remote) {
    return runScenario(parsed, () => openSandbox(remote, parsed, options), options)
  }
  if (!hasKeys && parsed.steps.some((step) => isRequestStep(step) && step.as !== undefined)) {
    throw new UsageError(`${url} is no Understudy server, and the steps send keys. ${keyCure}`)
  }
  const issues = findHttpSenderIssues(parsed, options)
  if (issues.length > 0) throw runError(issues)
  const sender = createHttpSender(url, options)
  const open = async () => ({ sender, explain: explainNothing, signal })
  const result = await runScenario(parsed, open, options)
  return { ...result, external: true }
}

const keyCure = 'Pass a key of the service with --key, or as the option key.'

/** Connects to an Understudy server. Returns null for any other server. @throws UnreachableError */
async function connectIfUnderstudy(url: string, token: string | undefined): Promise<Remote | null> {
  const remote = connect(url, { token })
  try {
    await remote.health()
    return remote
  } catch (error) {
    // The target can be any server, so the advice to start Understudy would not help.
    if (error instanceof UnreachableError) throw toUnreachableError(url, error) ?? error
    return null
  }
}

async function openSandbox(
  remote: Remote,
  scenario: ParsedScenario,
  options: RunAtOptions,
): Promise<Opened> {
  const { world, ...setup } = resolveSetup(scenario, options)
  const from = typeof world === 'string' ? { from: world } : {}
  const created = await remote.sandboxes.create({ ...setup, ...from, ttl_s: sandboxLifetime })
  const end = () => remote.sandboxes.delete(created.id)
  const { remote: sandbox } = created
  try {
    if (typeof world === 'object') {
      await sandbox.world.replace({
        ...world,
        ...(setup.seed !== undefined && { seed: setup.seed }),
      })
    }
    const { replace: replaceWorld } = sandbox.world
    return {
      sender: await createSimulatorSender({ ...sandbox, replaceWorld }, sandbox.url, end),
      explain: async () => explanationOf((await sandbox.journal.find({ limit: 1 }))[0]),
      signal: options.signal,
    }
  } catch (error) {
    // The first error is the one to report.
    await end().catch(() => {})
    throw error
  }
}

/** In seconds. The sandbox of an interrupted run ends after it. */
const sandboxLifetime = 3_600

/** A sender to any base URL. Its data is neither set up before a run nor cleaned up afterwards. */
function createHttpSender(url: string, { keys = {}, key }: RunAtOptions): Sender {
  return {
    pause: (seconds, signal) => wait(seconds * 1_000, signal && abortOf(signal)),
    baseUrl: url.replace(/\/*$/, ''),
    key: (label) => (Object.hasOwn(keys, label) ? keys[label] : key),
    labels: () => (key === undefined ? Object.keys(keys) : null),
    send: ({ url: requestUrl, ...init }, stop) => {
      const timeout = AbortSignal.timeout(60_000)
      const signal = stop ? AbortSignal.any([timeout, stop]) : timeout
      return readResponse(requestUrl, fetch(requestUrl, { ...init, redirect: 'manual', signal }))
    },
    change: () =>
      Promise.reject(new UsageError('Failed to change the world: the server has no admin API.')),
    close: async () => {},
  }
}

/** Finds the steps that cannot or must not run on a server without an admin API. */
function findHttpSenderIssues(
  { steps }: ParsedScenario,
  { allow_writes = false }: RunAtOptions,
): Issue[] {
  return steps.flatMap((step, index) => {
    const path = ['steps', index]
    if (!isRequestStep(step)) {
      const [kind = ''] = Object.keys(step).filter((name) => name !== 'title')
      const text =
        'expected requests only: a run changes only the world of an Understudy server, and only if no key is passed'
      return [{ path: [...path, kind], text }]
    }
    if (allow_writes || !isWrite(step)) return []
    const field = isSafeMethod(step.method) ? 'path' : 'method'
    const text = `expected a read, got ${step[field]}. Allow writes with allow_writes or --allow-writes`
    return [{ path: [...path, field], text }]
  })
}

/** Whether a step changes rows: by its method, or by an operation that changes them with a GET. */
function isWrite(step: RequestStep) {
  const [path = ''] = step.path.split('?')
  const isOfStep = (endpoint: { readonly path: string }) => matchesPath(path, endpoint.path)
  return (
    !isSafeMethod(step.method) ||
    endpoints.some((endpoint) => endpoint.changesRows && isOfStep(endpoint))
  )
}
