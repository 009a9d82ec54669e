import { explainNothing } from '../explain/step-explainer.ts'
import {
  type ParsedScenario,
  parseScenario,
  replayError,
} from '../scenarios/format/check-scenario.ts'
import { isRequestStep, type Scenario } from '../scenarios/format/scenario.ts'
import type { ReplayResult } from '../scenarios/run/result.ts'
import {
  type ExplainStep,
  type ReplayOptions,
  replayOptionNames,
  resolveSetup,
  runScenario,
} from '../scenarios/run/run-scenario.ts'
import { createSimulatorTarget } from '../scenarios/run/simulator-target.ts'
import {
  checkTargetUrl,
  createHttpTarget,
  findHttpTargetIssues,
  type HttpTargetOptions,
  type Target,
  toUnreachableError,
} from '../scenarios/run/target.ts'
import { type OptionNames, rejectUnknownFields, UsageError } from '../utils/errors.ts'
import { UnreachableError } from '../utils/network.ts'
import {
  type AddedIds,
  deletionsOf,
  missingRow,
  type RowEdit,
  updatesOf,
} from '../world/edit/edit-rows.ts'
import { connect, type Remote } from './connect.ts'

/** Options of `replayAt`. */
interface ReplayAtOptions extends ReplayOptions, HttpTargetOptions {
  /** The token that the server was started with (`--token`) */
  readonly token?: string
}

const replayAtOptions: OptionNames<ReplayAtOptions> = {
  ...replayOptionNames,
  keys: true,
  key: true,
  allow_writes: true,
  token: true,
}

/**
 * Replays a scenario over HTTP. On an Understudy server the replay runs in a sandbox, which is deleted afterwards.
 *
 * With `key` or `keys`, and on any other server, the requests go to the server itself. Then its world, settings and
 * clock do not change: the scenario can contain requests only, and writes need a permission.
 *
 * @param url the base URL of the API
 * @throws UsageError with every issue of the scenario
 * @throws UnreachableError if the server does not respond
 * @example const { passed, steps } = await replayAt('http://127.0.0.1:4010', scenario)
 */
export async function replayAt(
  url: string,
  scenario: Scenario,
  options: ReplayAtOptions = {},
): Promise<ReplayResult> {
  rejectUnknownFields(options, Object.keys(replayAtOptions), 'replay the scenario')
  const parsed = parseScenario(scenario)
  checkTargetUrl(url)
  const { key, keys, token } = options
  const hasKeys = key !== undefined || keys !== undefined
  const remote = hasKeys ? null : await connectIfUnderstudy(url, token)
  if (remote) {
    const open = () => createSandboxTarget(remote, parsed, options)
    return runScenario(parsed, open, options, explainAt(remote, parsed, options))
  }
  if (!hasKeys && parsed.steps.some((step) => isRequestStep(step) && step.as !== undefined)) {
    throw new UsageError(`${url} is no Understudy server, and the steps send keys. ${keyCure}`)
  }
  const issues = findHttpTargetIssues(parsed, options)
  if (issues.length > 0) throw replayError(issues)
  const open = async () => createHttpTarget(url, options)
  const result = await runScenario(parsed, open, options, explainNothing)
  return { ...result, external: true }
}

const keyCure = 'Pass a key of the service with --key, or as the option key.'

/** Connects to an Understudy server. Returns null for any other server. @throws UnreachableError */
async function connectIfUnderstudy(url: string, token: string | undefined): Promise<Remote | null> {
  const remote = connect(url, token === undefined ? {} : { token })
  try {
    await remote.health()
    return remote
  } catch (error) {
    // The target can be any server, so the advice to start Understudy would not help.
    if (error instanceof UnreachableError) throw toUnreachableError(url, error) ?? error
    return null
  }
}

/** Lets the server explain the steps: it replays the scenario once more, within itself. */
function explainAt(remote: Remote, scenario: ParsedScenario, options: ReplayOptions): ExplainStep {
  let replayed: Promise<ReplayResult> | null = null
  return async (index) => {
    replayed ??= remote.scenarios.replay({ ...scenario, ...resolveSetup(scenario, options) })
    const { outcome, decided_by = [], undecided } = (await replayed).steps[index] ?? {}
    if (outcome === 'failed') return { decided_by, ...(undecided !== undefined && { undecided }) }
    return { decided_by, undecided: { why: 'passes_again' } }
  }
}

async function createSandboxTarget(
  remote: Remote,
  scenario: ParsedScenario,
  options: ReplayOptions & { readonly token?: string },
): Promise<Target> {
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
    const edit = (edit: RowEdit) => editRows(edit, sandbox)
    const options = { baseUrl: sandbox.url, edit, end }
    return await createSimulatorTarget({ ...sandbox, replaceWorld }, options)
  } catch (error) {
    // The first error is the one to report.
    await end().catch(() => {})
    throw error
  }
}

/** Changes rows of a simulator in another process, one after another. */
export async function editRows(edit: RowEdit, { world }: Remote): Promise<AddedIds> {
  if ('rows' in edit) return world.add(edit.rows)
  if ('update' in edit) {
    for (const [list, id, changes] of updatesOf(edit.update)) await world.update(list, id, changes)
    return {}
  }
  for (const [list, id] of deletionsOf(edit.delete)) {
    if (!(await world.delete(list, id))) throw missingRow(list, id)
  }
  return {}
}

/** In seconds. The sandbox of an interrupted replay ends after it. */
const sandboxLifetime = 3_600
