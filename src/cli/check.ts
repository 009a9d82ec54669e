import { replaceParents } from '../analysis/observe/adapt-scenario.ts'
import { CreatedRows } from '../analysis/observe/created-rows.ts'
import { parseKeys } from '../analysis/observe/keys.ts'
import { Observer } from '../analysis/observe/observer.ts'
import { Unclear } from '../analysis/observe/requests.ts'
import { Round } from '../analysis/observe/round.ts'
import { type ReplayAtOptions, replayAt } from '../remote/replay-at.ts'
import type { StepResult } from '../scenarios/run/result.ts'
import { checkTargetUrl, type Target, UnreachableError } from '../scenarios/run/target.ts'
import { createSimulator } from '../simulator.ts'
import { escapeControls } from '../utils/escape.ts'
import { packageFile } from '../utils/files.ts'
import { UsageError } from '../utils/usage-error.ts'
import { Clock } from '../world/clock/clock.ts'
import { type CheckedStep, judge, printStep, printStepNotRun, summarize } from './check-report.ts'
import { type CheckRun, keysOf, labelsOf, readRuns } from './check-runs.ts'
import { defineCommand, type FlagValues } from './command.ts'
import { type CommandContext, exitCodes, reportFailure } from './command-context.ts'
import { parseScopedKey } from './flags.ts'

/** Scenarios of the package that need no known row. */
const defaultScenarios = ['wrong-key-is-refused', 'soft-delete-and-restore']

const help = `
The paths of the project 1 and the organization of the default world lead to those of the server. Each step that differs
is explained by the policy with which a simulator responds in the same way: as the live service was seen to respond, or
with another plausible answer. Otherwise it contradicts the documentation. Without --allow-writes, each scenario ends
before its first write. A step with another key is run if its key was passed: --key annotation:read=phx_less. Words that a
scenario searches for get a suffix, so that it finds no other rows. Rows that scenarios create are removed, also after
Ctrl-C, which ends a read at once and waits for a write; a second Ctrl-C ends everything.

Examples:
  npx understudy-api check --target https://api.example.com --key phx_mine
  npx understudy-api check scenarios/*.json --target https://staging.example.com --key phx_mine --allow-writes

Exit codes: 0 if no step contradicts the documentation, 1 if one does or a row may be left, 2 for invalid arguments,
a refused key, an unknown project or a file that cannot be checked, 4 if the server does not respond, 130 after an interrupt.`

const flags = {
  '--target <url>': { text: 'server to check', required: true },
  '--key <label=value>': { text: 'key of the server; can be repeated', parse: parseScopedKey },
  '--project <id>': { text: 'project to use (default: the first one of the key)' },
  '--organization <id>': { text: 'organization to use (default: that of the project)' },
  '--allow-writes': { text: 'run the steps that write, too' },
  '--json': { text: 'print JSON' },
} as const

export const checkCommand = defineCommand({
  name: 'check',
  summary: 'Run scenarios on a server, and compare it with the documentation and the live service.',
  args: [['[file...]', `scenario files (default: ${defaultScenarios.join(', ')} of the package)`]],
  flags,
  help,
  run: ([files], given, context) => check(files, given, context),
})

type CheckFlags = FlagValues<typeof flags>

async function check(
  files: readonly string[],
  flags: CheckFlags,
  context: CommandContext,
): Promise<number> {
  const { target, key: { keys = {} } = {}, allowWrites = false } = flags
  checkTargetUrl(target, 'check')
  const chosen =
    files.length > 0 ? files : defaultScenarios.map((name) => packageFile(`scenarios/${name}.json`))
  const paths = chosen.filter((file) => !isSchema(file))
  if (paths.length === 0) throw new UsageError(`${chosen[0]} is a JSON Schema, not a scenario.`)
  // Differs between checks, and is a word that a search finds.
  const marker = new Clock().now().toString(36)
  const { runs, unsuitable } = await readRuns(paths, keys, allowWrites, marker)
  const [firstIssue] = unsuitable
  if (runs.length === 0 && firstIssue && paths.length === 1) throw firstIssue.error
  const parent = await findParent(flags, runs, context)
  const checked: CheckedStep[] = []
  const left: string[] = []
  let failure: Error | undefined
  const note = (text: string): void => {
    if (!flags.json) context.print(text)
  }
  for (const file of chosen.filter(isSchema)) note(`${file}: skipped. It is a JSON Schema.`)
  for (const line of unsuitable.flatMap(({ error }) =>
    `Not checked: ${error.message}`.split('\n'),
  )) {
    note(escapeControls(line))
  }
  for (const { scenario, numbers, notRun } of runs) {
    if (context.signal.aborted || failure) break
    note(context.paint('strong', escapeControls(scenario.title)))
    const rest = [...notRun]
    /** Adds the steps before a step that are not run. */
    const addNotRun = (before: number): void => {
      while (rest[0] && rest[0].step < before) {
        const step = rest.shift() as CheckedStep
        checked.push(step)
        if (!flags.json) printStepNotRun(step, context)
      }
    }
    const rows = new CreatedRows()
    const onStep = (result: StepResult, isBroken: boolean): void => {
      const step = { ...result, step: numbers[result.step - 1] as number }
      addNotRun(step.step)
      const verdict = judge(step, isBroken, marker)
      const { title, decided_by: policies } = step
      checked.push({ scenario: scenario.title, step: step.step, title, verdict, policies })
      if (!flags.json) printStep(step, verdict, context)
    }
    const steps = replaceParents(scenario.steps, parent)
    if (steps.length > 0) {
      const options = {
        keys: keysOf(scenario, keys),
        allow_writes: allowWrites,
        ...watchSteps(rows, onStep, context.signal),
      }
      const simulator = createSimulator()
      await replayAt(target, { ...scenario, steps }, options, async (simulated) => {
        context.signal.throwIfAborted()
        return simulator.replay(scenario, simulated)
      }).catch((error) => {
        failure = error
      })
    }
    if (!failure) addNotRun(Number.POSITIVE_INFINITY)
    left.push(...(await rows.remove()))
  }
  if (checked.at(-1)?.verdict === 'no response') {
    failure ??= new UnreachableError(`${target} broke the connection. Check the server.`)
  }
  if (context.signal.aborted) failure = undefined
  // Without a result, the error is all that is printed.
  if (failure && checked.length + left.length === 0) throw failure
  const isEarly = context.signal.aborted && checked.length === 0
  const isNothing = checked.length === 0
  for (const line of [...(isEarly || isNothing ? [] : [summarize(checked)]), ...left]) note(line)
  if (unsuitable.length > 0)
    note(
      `${unsuitable.length} of ${paths.length} files ${unsuitable.length === 1 ? 'was' : 'were'} not checked.`,
    )
  const code = failure && reportFailure(failure, { command: 'check', json: false }, context)
  const error = failure && { message: failure.message, issues: [], exit_code: code }
  const not_checked = unsuitable.map(({ file, error }) => ({ file, message: error.message }))
  if (flags.json) context.printJson({ steps: checked, left, not_checked, ...(error && { error }) })
  if (context.signal.aborted) return exitCodes.interrupted
  const hasFailed = left.length > 0 || checked.some(({ verdict }) => verdict === 'contradiction')
  if (code !== undefined || hasFailed) return code ?? exitCodes.failed
  return unsuitable.length > 0 ? exitCodes.usageError : exitCodes.ok
}

function isSchema(file: string): boolean {
  return file.endsWith('.schema.json')
}

/** Options of a replay that watch its rows and its steps, and end it after an interrupt. */
function watchSteps(
  rows: CreatedRows,
  onStep: (step: StepResult, isBroken: boolean) => void,
  signal: AbortSignal,
): Pick<ReplayAtOptions, 'wrapTarget' | 'onStep'> {
  let isBroken = false
  return {
    wrapTarget(target) {
      const watched = rows.watch(target)
      const send: Target['send'] = async (request) => {
        signal.throwIfAborted()
        // A row that a write creates is to be removed, so its response is waited for.
        const isRead = request.method === 'GET'
        const response = await watched.send(request, isRead ? signal : undefined)
        if (isRead) signal.throwIfAborted()
        isBroken = response.broken
        return response
      }
      return { ...watched, send }
    },
    onStep: (step) => onStep(step, isBroken),
  }
}

async function findParent(
  { target, project, organization, key: { keys = {} } = {} }: CheckFlags,
  runs: readonly CheckRun[],
  { signal }: CommandContext,
): Promise<Observer> {
  const labels = runs.flatMap(({ whole }) => labelsOf(whole))
  const observer = new Observer({
    url: target,
    keys: parseKeys(keys, labels),
    send: (url, init) => fetch(url, init),
    ...(project !== undefined && { project }),
    ...(organization !== undefined && { organization }),
    allowWrites: false,
    marker: '',
    rate: 5,
    maxRequests: 10,
    signal,
  })
  const refusal = await observer
    .locate()
    .then(() => new Round(observer, 1).refusalOfServer())
    .catch((error) => {
      // Without a readable list of projects, @current stands for both.
      if (error instanceof Unclear) return null
      throw error
    })
  if (refusal !== null) throw new UsageError(refusal)
  return observer
}
