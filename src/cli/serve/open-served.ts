import { isUnscopedKey } from '../../http/authorize.ts'
import { openReplay } from '../../replay.ts'
import type { Scenario } from '../../scenarios/format/scenario.ts'
import { readScenario } from '../../scenarios/library.ts'
import type { ReplayMode, UnexpectedRequest } from '../../scenarios/replay-server/match-request.ts'
import type { Replay } from '../../scenarios/replay-server/replay.ts'
import { curlExample } from '../../server/curl-example.ts'
import { createSimulator, type Simulator } from '../../simulator.ts'
import { escapeControls } from '../../utils/escape.ts'
import { isLoopback } from '../../utils/network.ts'
import { UsageError } from '../../utils/usage-error.ts'
import { version } from '../../utils/version.ts'
import { fixtureNames, readWorld } from '../../world/load/read-world.ts'
import type { KeyRow } from '../../world/rows.ts'
import type { CommandContext, Paint } from '../command-context.ts'
import { type SimulatorFlags, toSimulatorOptions } from '../flags.ts'
import type { LogFormat } from '../log.ts'
import { formatCount } from '../output.ts'

export interface ServeFlags extends SimulatorFlags {
  readonly port: number
  readonly host: string
  readonly state?: string
  readonly recording?: string
  readonly mode?: ReplayMode
  readonly watch?: boolean
  readonly requireToken?: boolean
  readonly cors: boolean
  readonly dashboard: boolean
  readonly scenarios?: string
  readonly logFormat: LogFormat
  readonly json?: boolean
  readonly quiet?: boolean
}

export interface ServedSource {
  readonly simulator: Simulator
  /** Null if the simulator has no recording */
  readonly recording: OpenedRecording | null
}

export interface OpenedRecording {
  readonly file: string
  readonly scenario: Scenario
  readonly replay: Replay<Simulator>
  readonly open: (scenario: Scenario) => Promise<Replay<Simulator>>
}

/** Opens the recording, with every response complete, or the world that the flags name. @throws UsageError */
export async function openServed(
  flags: ServeFlags,
  context: CommandContext,
  onUnexpected: (request: UnexpectedRequest) => void,
): Promise<ServedSource> {
  const { recording: file, mode = 'strict' } = flags
  if (file === undefined) {
    if (flags.mode !== undefined) throw new UsageError('--mode requires --recording.')
    const simulator = createSimulator(await toSimulatorOptions(flags, context))
    return { simulator, recording: null }
  }
  const scenario = await readScenario(file)
  checkFlags(flags, mode, scenario)
  const open: OpenedRecording['open'] = async (version) => {
    // The world of the flags is read only if the scenario names no world.
    const { world, seed } = version
    const options = await toSimulatorOptions(
      world === undefined ? flags : { ...flags, data: 'default' },
      context,
    )
    try {
      const replay = openReplay(await inlineWorld(version, seed), {
        ...options,
        mode,
        onUnexpected,
      })
      await replay.ready()
      return replay
    } catch (error) {
      throw error instanceof UsageError ? new UsageError(`${file}: ${error.message}`) : error
    }
  }
  const replay = await open(scenario)
  return { simulator: replay.simulator, recording: { file, scenario, replay, open } }
}

/** @throws UsageError for flags that would have no effect with a recording */
function checkFlags(
  { state, fault, data }: ServeFlags,
  mode: ReplayMode,
  scenario: Scenario,
): void {
  const { world } = scenario
  if (state !== undefined) {
    throw new UsageError('--state and --recording cannot be used together.')
  }
  if (fault.length > 0 && mode !== 'fallback') {
    throw new UsageError(
      `--fault has no effect in ${mode} mode, which simulates nothing. Use --mode fallback, or add the fault to the recording as a step.`,
    )
  }
  if (world === undefined || data === 'default') return
  const name = typeof world === 'string' ? `world "${world}"` : 'its own world'
  throw new UsageError(`--data has no effect, because the recording starts with ${name}.`)
}

/** Replaces the name of a fixture in a scenario by the world of the fixture. @param seed for its generated rows */
export async function inlineWorld(scenario: Scenario, seed?: number): Promise<Scenario> {
  const { world } = scenario
  if (typeof world !== 'string' || !fixtureNames.includes(world)) return scenario
  return { ...scenario, world: await readWorld(world, seed) }
}

/** Describes the recorded requests that were not used; null if all were used. */
export function unusedRequestsMessage({ requests, unused }: Replay): string | null {
  if (unused.length === 0) return null
  const steps = unused
    .slice(0, 5)
    .map(({ step, title }) => `step ${step}, ${escapeControls(title)}`)
  const more = unused.length > 5 ? `; and ${unused.length - 5} more` : ''
  return `${unused.length} of ${requests.length} recorded requests not used: ${steps.join('; ')}${more}`
}

/** Describes a server for machines: what `serve --json` prints when the server has started. */
export function startReport(
  { keys, world, replaying }: Simulator,
  url: string,
  { dashboard }: ServeFlags,
): object {
  return {
    url,
    admin_url: `${url}/__admin`,
    dashboard_url: dashboard ? `${url}/__admin/` : null,
    keys: keys.list().map(({ user: _, ...key }) => key),
    projects: world.projects
      .list()
      .map(({ id, name, organization }) => ({ id, name, organization })),
    ...(replaying && {
      recording: { title: replaying.title, mode: replaying.mode, requests: replaying.requests },
    }),
  }
}

/** Describes a server for people: its URLs, keys and projects, and a command to try. */
export function startText(
  simulator: Simulator,
  url: string,
  { data, recording = data, profile, state, host, token, dashboard, watch }: ServeFlags,
  paint: Paint,
): string {
  const { replaying } = simulator
  const name = (text: string): string => paint('name', text)
  const isOpen = isLoopback(host) || token !== undefined
  const keys = simulator.keys.list()
  const widest = Math.max(...keys.slice(0, maxListed).map(({ value }) => value.length))
  const source = replaying
    ? `recording "${escapeControls(replaying.title)}" (${formatCount(replaying.requests.length, 'request')}), mode "${replaying.mode}"`
    : `world "${data}", profile "${profile}"`
  const lines = [
    `${paint('strong', `Understudy ${version}`)} is serving ${source}.`,
    state !== undefined && `${state} takes precedence over --data. Changes are saved there.`,
    watch && `Changes in ${recording} are loaded; rows written since then are discarded.`,
    '',
    `  API       ${name(url)}`,
    dashboard && isOpen && `  Dashboard ${name(`${url}/__admin/`)}`,
    `  Reference ${name(url + (dashboard && isOpen ? '/__admin/docs/' : '/openapi.json'))}`,
    isOpen
      ? `  Control   ${name(`${url}/__admin/health`)}`
      : '  Control   closed, because other machines can reach the server; open it with --token',
    ...section(
      'Keys',
      keys.map((key) => `${name(key.value.padEnd(widest))}  ${describeAccess(key, simulator)}`),
    ),
    ...section(
      'Projects',
      simulator.world.projects
        .list()
        .map(
          (row) =>
            `${name(String(row.id))}  ${escapeControls(row.name)}, organization ${escapeControls(row.organization)}`,
        ),
    ),
    ...(replaying ? [] : tryText(curlExample(simulator, url))),
    '',
    'Press Ctrl-C to stop.',
  ]
  return lines.filter((line) => typeof line === 'string').join('\n')
}

const maxListed = 12

function section(title: string, lines: readonly string[]): string[] {
  const shown = lines.slice(0, maxListed)
  const rest = lines.length - shown.length
  const all = rest > 0 ? [...shown, `… and ${rest} more`] : shown
  return all.map((line, index) => `  ${(index === 0 ? title : '').padEnd(10)}${line}`)
}

function describeAccess(key: KeyRow, { policies }: Simulator): string {
  const { scopes, projects, organizations } = key
  const limits = [
    ...projects.map((id) => `project ${id}`),
    ...organizations.map((id) => `organization ${id}`),
  ]
  const only = limits.length > 0 ? `, only in ${limits.join(', ')}` : ''
  if (scopes === null) return `legacy key without scopes: full access${only}`
  if (scopes.length === 0) {
    return `no scopes${isUnscopedKey(key, policies.settings) ? ': full access' : ''}${only}`
  }
  return `${scopes.includes('*') ? 'full access' : scopes.join(', ')}${only}`
}

function tryText(curl: string | null): string[] {
  return curl === null ? [] : ['', 'Try:', `  ${curl}`]
}
