import {
  findKeyFor,
  findStepsNotRun,
  hasOtherRows,
  markSearchedRows,
  replaceParents,
} from '../analysis/observe/adapt-scenario.ts'
import { CreatedRows, OtherRowError, type SoftDeleted } from '../analysis/observe/created-rows.ts'
import { parseKeys } from '../analysis/observe/keys.ts'
import { Observer } from '../analysis/observe/observer.ts'
import { Unclear } from '../analysis/observe/requests.ts'
import { Round } from '../analysis/observe/round.ts'
import { PolicySearch } from '../analysis/policy-search.ts'
import type { ServiceSearch, Simulate } from '../analysis/service-explainer.ts'
import { type ReplayAtOptions, replayAt } from '../remote/replay-at.ts'
import { parseScenario } from '../scenarios/format/check-scenario.ts'
import { isRequestStep, type Scenario, type Step, stepTitle } from '../scenarios/format/scenario.ts'
import { readScenario } from '../scenarios/library.ts'
import { formatDetails, type StepResult } from '../scenarios/run/result.ts'
import {
  checkTargetUrl,
  findHttpTargetIssues,
  type Target,
  UnreachableError,
} from '../scenarios/run/target.ts'
import { createSimulator } from '../simulator.ts'
import { escapeControls } from '../utils/escape.ts'
import { checkWritable, packageFile } from '../utils/files.ts'
import { issuesError } from '../utils/issues.ts'
import { checkExtension } from '../utils/reports/printers.ts'
import { UsageError } from '../utils/usage-error.ts'
import { Clock } from '../world/clock/clock.ts'
import {
  type CheckedStep,
  checkExtensions,
  describeSoftDeleted,
  failing,
  formatChecked,
  formatNotRun,
  isNothingSent,
  Judge,
  summarize,
  toReport,
  withStatusOnly,
} from './check/report.ts'
import { defineCommand, type FlagValues } from './command.ts'
import { type CommandContext, exitCodes, reportFailure } from './command-context.ts'
import { forceFlag, parseScopedKey, repeated } from './flags.ts'
import { stepMasker } from './redact.ts'
import { writeReports } from './write-reports.ts'

/** Scenarios of the package that need no known row. */
const defaultScenarios = ['missing-or-wrong-key', 'soft-delete-and-restore']

const help = `
The paths of the project 1 and the organization of the default world lead to those of the server. Each step that differs
is explained by the policy with which a simulator responds in the same way: as the live service was seen to respond, or
with another plausible answer. Otherwise no policy explains it. A difference by a policy that an earlier step shows is its
follow-up. Without --allow-writes, each scenario ends before its first write, and with it before it changes a row that it
does not create. A step with another key is run if its key was passed: --key annotation:read=phx_less. Words that a
scenario searches for get a suffix, so that it finds no other rows. Plugins that scenarios create are
deleted, and annotations soft-deleted, also after Ctrl-C, which ends a read at once and waits for a write; a second
Ctrl-C ends everything. It tries DELETE for an annotation that the server shows all the same, and lists those that stay.

Examples:
  npx understudy-api check --target https://api.example.com --key phx_mine
  npx understudy-api check scenarios/*.json --target https://staging.example.com --key phx_mine --allow-writes

Exit codes: 0 if each difference may have a reason: a policy, other rows, another time or an earlier step; 1 if one has
none, no step was sent, a step gets no response, or a row may be left; 2 for invalid arguments, a refused key, an unknown
project or a file that cannot be checked; 4 if the server does not respond; 130 after an interrupt.`

const flags = {
  '--target <url>': { text: 'server to check', required: true },
  '--key <label=value>': { text: 'key of the server; can be repeated', parse: parseScopedKey },
  '--project <id>': 'project to use (default: the first one of the key)',
  '--organization <id>': 'organization to use (default: that of the project)',
  '--allow-writes': 'run the steps that write, too',
  '--report <file>': {
    text: `write a report to this .${checkExtensions.join(', .')} file; can be repeated`,
    ...repeated(),
    file: 'report',
  },
  '--force': forceFlag,
  '--json': 'print JSON',
} as const

export default defineCommand({
  name: 'check',
  summary: 'Run scenarios on a server, and compare it with the documentation and the live service.',
  args: [['[file...]', `scenario files (default: ${defaultScenarios.join(', ')} of the package)`]],
  flags,
  help,
  run: ([files], values, context) => check(files, values, context),
})

type CheckFlags = FlagValues<typeof flags>

async function check(
  files: readonly string[],
  flags: CheckFlags,
  context: CommandContext,
): Promise<number> {
  const { target, key: { keys = {} } = {}, allowWrites = false, json, report } = flags
  const { signal, paint } = context
  checkTargetUrl(target, 'check')
  for (const file of report) {
    checkExtension(file, checkExtensions, 'read --report')
    checkWritable(file)
  }
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
  const print = (text: string): void => {
    if (!json) context.print(text)
  }
  for (const note of parent.notes) print(note)
  for (const file of chosen.filter(isSchema)) print(`${file}: skipped. It is a JSON Schema.`)
  for (const { error } of unsuitable) {
    print(`Not checked: ${error.message}`.split('\n').map(escapeControls).join('\n'))
  }
  const mask = stepMasker({ keys })
  const judge = new Judge()
  const search = new PolicySearch()
  const checked: CheckedStep[] = []
  const left: string[] = []
  const softDeleted: SoftDeleted[] = []
  let failure: Error | undefined
  for (const { whole, scenario, numbers, notRun } of runs) {
    if (signal.aborted || failure) break
    print(paint('strong', escapeControls(scenario.title)))
    const rest = [...notRun]
    let done = 0
    /** Adds the steps before a step that are not run. */
    const addNotRun = (before: number): void => {
      while (rest[0] && rest[0].step < before) {
        const step = rest.shift() as CheckedStep
        checked.push(step)
        print(formatNotRun(step, paint))
      }
    }
    const onStep = (result: StepResult, isBroken: boolean): void => {
      const step = { ...mask(withStatusOnly(result)), step: numbers[result.step - 1] as number }
      done = result.step
      addNotRun(step.step)
      const verdict = judgeStep(result, isBroken)
      const { title, decided_by: policies } = step
      const details = formatDetails(step).map((line) => line.trimStart())
      const { title: name } = scenario
      const { ms } = step
      checked.push({ scenario: name, step: step.step, title, verdict, policies, details, ms })
      print(formatChecked(step, verdict, paint))
    }
    const { judge: judgeStep, isDoubtful } = judge.begin(scenario)
    const rows = new CreatedRows(marker, parent.keys.find('all'))
    const adapted = { ...scenario, steps: replaceParents(scenario.steps, parent) }
    if (adapted.steps.length > 0) {
      const options = {
        keys: keysOf(scenario, keys),
        allow_writes: allowWrites,
        ...watchSteps(rows, onStep, signal),
      }
      const simulator = createSimulator()
      const simulate: Simulate = async (simulated) => {
        signal.throwIfAborted()
        return simulator.replay(scenario, simulated)
      }
      const isFromOtherRows = hasOtherRows(adapted, marker)
      const mayHaveOtherRows: ServiceSearch['mayHaveOtherRows'] = (index, differences) =>
        isFromOtherRows(index, differences, isDoubtful(index))
      const service = { simulate, search, mayHaveOtherRows }
      await replayAt(target, adapted, options, service).catch((error) => {
        if (!(error instanceof OtherRowError)) {
          failure = error
          return
        }
        left.push(error.message)
        const unsent = numbers
          .slice(done)
          .map((number) => notRunStep(whole, number, 'the server returned the id of another row'))
        rest.push(...unsent)
        rest.sort((one, other) => one.step - other.step)
      })
    }
    if (!failure) addNotRun(Number.POSITIVE_INFINITY)
    const removal = await rows.remove()
    left.push(...removal.left)
    softDeleted.push(...removal.softDeleted)
  }
  const sent = checked.filter(({ verdict }) => verdict !== 'not run' && verdict !== 'skipped')
  const isSilent = sent.length > 0 && sent.every(({ verdict }) => verdict === 'no response')
  if (isSilent || checked.at(-1)?.verdict === 'no response') {
    failure ??= new UnreachableError(`${target} broke the connection. Check the server.`)
  }
  if (signal.aborted) failure = undefined
  // Without a result, the error is all that is printed.
  if (failure && checked.length + left.length === 0) throw failure
  const remaining = [...left, ...describeSoftDeleted(softDeleted)]
  for (const line of [...(checked.length > 0 ? [summarize(checked)] : []), ...remaining])
    print(line)
  if (signal.aborted) print('The check was interrupted.')
  if (unsuitable.length > 0) {
    const were = unsuitable.length === 1 ? 'was' : 'were'
    print(`${unsuitable.length} of ${paths.length} files ${were} not checked.`)
  }
  const code = failure && reportFailure(failure, { command: 'check', json: false }, context)
  const error = failure && { message: failure.message, issues: [], exit_code: code }
  const not_checked = unsuitable.map(({ file, error }) => ({ file, message: error.message }))
  const document = {
    steps: checked,
    left,
    soft_deleted: softDeleted.map(({ url }) => url),
    not_checked,
    ...(error && { error }),
  }
  if (json) context.printJson(document)
  const { notes } = parent
  await writeReports(toReport({ checked, remaining, notes, json: document }), report, context)
  if (signal.aborted) return exitCodes.interrupted
  if (code !== undefined) return code
  const hasFailed = left.length > 0 || checked.some(({ verdict }) => failing.includes(verdict))
  if (hasFailed) return exitCodes.failed
  if (unsuitable.length > 0) return exitCodes.usageError
  return isNothingSent(checked) ? exitCodes.failed : exitCodes.ok
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
    // The steps have no pauses, either.
    rate: 1_000,
    maxRequests: 10,
    signal,
  })
  const refusal = await observer
    .locate()
    .then(() => new Round(observer, 1).refusalOfServer())
    // Without a readable list of projects, @current stands for both.
    .catch(ignoreUnclear)
  if (refusal !== null) throw new UsageError(refusal)
  if (!observer.hasSlash) {
    const { base, baseKey: key } = new Round(observer, 1)
    await observer.noteSlash(base.list, { key, query: { limit: 1 } }).catch(ignoreUnclear)
  }
  return observer
}

/** The steps tell it again. @throws any other error */
function ignoreUnclear(error: unknown): null {
  if (error instanceof Unclear) return null
  throw error
}

/** A scenario for a server, with the steps that are run. */
interface CheckRun {
  readonly whole: Scenario
  readonly scenario: Scenario
  /** The numbers of its steps in the whole scenario */
  readonly numbers: readonly number[]
  readonly notRun: readonly CheckedStep[]
}

/** A file that cannot be checked. */
interface Unsuitable {
  readonly file: string
  readonly error: UsageError
}

/** Reads scenario files, and chooses the steps that can be run. @param marker a word that no other row contains */
async function readRuns(
  files: readonly string[],
  keys: Readonly<Record<string, string>>,
  allowWrites: boolean,
  marker: string,
): Promise<{ readonly runs: readonly CheckRun[]; readonly unsuitable: readonly Unsuitable[] }> {
  const runs: CheckRun[] = []
  const unsuitable: Unsuitable[] = []
  for (const file of files) {
    try {
      runs.push(await readRun(file, keys, allowWrites, marker))
    } catch (error) {
      if (!(error instanceof UsageError)) throw error
      unsuitable.push({ file, error })
    }
  }
  return { runs, unsuitable }
}

async function readRun(
  file: string,
  keys: Readonly<Record<string, string>>,
  allowWrites: boolean,
  marker: string,
): Promise<CheckRun> {
  const whole = await readScenario(file)
  const reasons = findStepsNotRun(whole, keys, allowWrites)
  const numbers = reasons.flatMap((reason, index) => (reason === null ? [index + 1] : []))
  const steps = whole.steps.filter((_, index) => reasons[index] === null)
  const issues =
    steps.length === 0
      ? []
      : findHttpTargetIssues(parseScenario({ ...whole, steps }), { allow_writes: true })
  if (issues.length > 0) throw issuesError(`${file} cannot run on a server.`, issues)
  const notRun = reasons.flatMap((reason, index) =>
    reason === null ? [] : notRunStep(whole, index + 1, reason),
  )
  const scenario = markSearchedRows({ ...whole, steps }, marker)
  return { whole, scenario, numbers, notRun }
}

/** @param reason why the step is not run, as a clause */
function notRunStep(
  { title: scenario, steps }: Scenario,
  step: number,
  reason: string,
): CheckedStep {
  const title = stepTitle(steps[step - 1] as Step)
  return { scenario, step, title, verdict: 'not run', policies: [], details: [], ms: 0, reason }
}

function labelsOf({ steps }: Scenario): string[] {
  return steps.flatMap((step) => (isRequestStep(step) && step.as !== undefined ? [step.as] : []))
}

/** The keys of the steps of a scenario, by their labels. */
function keysOf(
  scenario: Scenario,
  keys: Readonly<Record<string, string>>,
): Record<string, string> {
  const found = labelsOf(scenario).map((label) => [label, findKeyFor(label, keys) ?? ''])
  return Object.fromEntries(found)
}
