import { appendFileSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { formatSettingFile, parseSettingFile } from '../settings/file.ts'
import type { Profile } from '../settings/profiles.ts'
import { resolveSettings, type SettingOverrides } from '../settings/resolve.ts'
import type { SimulatorOptions } from '../simulator/options.ts'
import { createSimulator, type Simulator } from '../simulator/simulator.ts'
import { unreadableFileError } from '../utils/files.ts'
import { Input, inlineInput } from '../utils/input.ts'
import { tryParseJson } from '../utils/json.ts'
import { followExchanges, type TracedExchange } from './sweep.ts'

/** The variables of `--profile` and `--settings`, for simulators that the code of a command creates, too. */
const [profileVariable, settingsVariable] = ['UNDERSTUDY_PROFILE', 'UNDERSTUDY_SETTINGS']

/** In a sweep, the settings of the run without a change, by which the usual key is chosen. */
const unchangedVariable = 'UNDERSTUDY_UNCHANGED'

/** The file to which they append each response with the settings that it consulted, as a line of JSON. */
const traceVariable = 'UNDERSTUDY_TRACE'

/** The service of a run, as the flags of its command name it. */
export interface RunService {
  readonly profile: Profile
  readonly settings: SettingOverrides
}

/**
 * The variables from which the simulators of a command have its settings: also the usual ones, so that none has those of
 * another command around it.
 *
 * @param unchanged in a sweep, the settings of the run without a change
 */
export function serviceVariables(
  { profile, settings }: RunService,
  unchanged?: SettingOverrides,
): Record<string, string> {
  return {
    [profileVariable]: profile,
    [settingsVariable]: formatSettingFile({ settings }),
    [unchangedVariable]: unchanged ? formatSettingFile({ settings: unchanged }) : '',
  }
}

/** The file in which the simulators of a command say what they answer, and which settings mattered. */
interface TraceFile {
  readonly variables: Readonly<Record<string, string>>
  /** What they answered so far, in the order in which they wrote, side by side */
  exchanges(): TracedExchange[]
  remove(): void
}

/** Creates it in a temporary folder. */
export function createTraceFile(): TraceFile {
  const folder = mkdtempSync(join(tmpdir(), 'understudy-run-'))
  const file = join(folder, 'trace.jsonl')
  return {
    variables: { [traceVariable]: file },
    exchanges() {
      const lines = existsSync(file) ? readFileSync(file, 'utf8').split('\n') : []
      // A process that was killed may have written half a line, and another one went on in it.
      return lines.flatMap((line) => (tryParseJson(line)?.value as TracedExchange) ?? [])
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  }
}

/**
 * Creates a simulator that `sweep` sweeps, too, in a suite that has simulators of its own: with the settings of the command
 * that runs this process, such as `understudy-api sweep -- npm test`. They replace those of a profile, and the options' own
 * settings stay. Without such a command it is that of `createSimulator`.
 *
 * @throws UsageError for an invalid option, and for settings that cannot be read
 * @example const simulator = createSweptSimulator({ world: 'default' })
 */
export function createSweptSimulator(
  options: SimulatorOptions = {},
  create: (options: SimulatorOptions) => Simulator = createSimulator,
): Simulator {
  const { [profileVariable]: ofRun, [settingsVariable]: named } = process.env
  const { [unchangedVariable]: unchanged } = process.env
  const profile = options.profile ?? (ofRun as Profile | '')
  const settings = { ...(named && readSettings(named)), ...options.settings }
  const simulator = create({ ...options, settings, ...(profile && { profile }) })
  if (unchanged) {
    const before = { ...readSettings(unchanged), ...options.settings }
    simulator.state.unchanged = resolveSettings(profile || undefined, before)
  }
  reportToRun(simulator)
  return simulator
}

/** @param named JSON, or a file */
function readSettings(named: string) {
  const input = inlineInput(settingsVariable, named) ?? openInput(named)
  return parseSettingFile(input.json(), input.name)
}

function openInput(file: string) {
  try {
    return new Input(file, readFileSync(file), false)
  } catch (error) {
    throw unreadableFileError(file, error)
  }
}

/** Tells the command that runs this process what a simulator, and its sandboxes, answer. Without such a command, nothing. */
export function reportToRun(simulator: Simulator): void {
  const file = process.env[traceVariable]
  if (!file) return
  followExchanges(simulator, crypto.randomUUID(), (exchange) =>
    appendFileSync(file, `${JSON.stringify(exchange)}\n`),
  )
}
