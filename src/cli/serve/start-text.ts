import { isUnscopedKey } from '../../http/authorize.ts'
import type { PolicySettings } from '../../policies/policies.ts'
import type { Replay } from '../../scenarios/replay-server/replay.ts'
import type { Simulator } from '../../simulator.ts'
import { isLoopback } from '../../utils/network.ts'
import { version } from '../../utils/version.ts'
import type { KeyRow } from '../../world/rows.ts'
import { formatCount } from '../output/format-count.ts'
import type { Paint } from '../output/paint.ts'
import { curlExample } from './curl-example.ts'

/** What `serve --json` prints when the server has started. */
export interface StartReport {
  readonly url: string
  readonly admin_url: string
  /** Null with --no-dashboard */
  readonly dashboard_url: string | null
  readonly keys: readonly Omit<KeyRow, 'user'>[]
  readonly projects: readonly { id: number; name: string; organization: string }[]
  /** Only with --recording */
  readonly recording?: Pick<Replay, 'title' | 'mode' | 'requests'>
}

/** Describes a server for machines. */
export function startReport(
  simulator: Simulator,
  url: string,
  { dashboard }: Pick<StartFlags, 'dashboard'>,
): StartReport {
  const { replaying } = simulator
  return {
    url,
    admin_url: `${url}/__admin`,
    dashboard_url: dashboard ? `${url}/__admin/` : null,
    keys: simulator.keys.list().map(({ user: _, ...key }) => key),
    projects: simulator.world.projects
      .list()
      .map(({ id, name, organization }) => ({ id, name, organization })),
    ...(replaying && {
      recording: { title: replaying.title, mode: replaying.mode, requests: replaying.requests },
    }),
  }
}

/** The flags that the text depends on. */
interface StartFlags {
  readonly data: string
  readonly recording?: string
  readonly profile: string
  readonly host: string
  readonly dashboard: boolean
  readonly state?: string
  readonly token?: string
  readonly watch?: boolean
}

/** Describes a server for people: its URLs, keys and projects, and a command to try. */
export function startText(
  simulator: Simulator,
  url: string,
  { data, recording = data, profile, state, host, token, dashboard, watch }: StartFlags,
  paint: Paint,
): string {
  const { keys, projects } = startReport(simulator, url, { dashboard })
  const isOpen = isLoopback(host) || token !== undefined
  const widest = Math.max(...keys.slice(0, maxListed).map(({ value }) => value.length))
  const source = describeRecording(simulator) ?? `world "${data}", profile "${profile}"`
  return [
    `${paint('strong', `Understudy ${version}`)} is serving ${source}.`,
    ...(state === undefined
      ? []
      : [`${state} takes precedence over --data. Changes are saved there.`]),
    ...(watch
      ? [`Changes in ${recording} are loaded; rows written since then are discarded.`]
      : []),
    '',
    `  API       ${paint('name', url)}`,
    ...(dashboard && isOpen ? [`  Dashboard ${paint('name', `${url}/__admin/`)}`] : []),
    `  Reference ${paint('name', url + (dashboard && isOpen ? '/__admin/docs/' : '/openapi.json'))}`,
    isOpen
      ? `  Control   ${paint('name', `${url}/__admin/health`)}`
      : '  Control   closed, because other machines can reach the server; open it with --token',
    ...section(
      'Keys',
      keys.map(
        (key) =>
          `${paint('name', key.value.padEnd(widest))}  ${describeAccess(key, simulator.policies.settings)}`,
      ),
    ),
    ...section(
      'Projects',
      projects.map(
        ({ id, name, organization }) =>
          `${paint('name', String(id))}  ${name}, organization ${organization}`,
      ),
    ),
    ...(simulator.replaying ? [] : curlExample(simulator, url)),
    '',
    'Press Ctrl-C to stop.',
  ].join('\n')
}

/** Returns null if the server has no recording. */
function describeRecording({ replaying }: Simulator): string | null {
  if (!replaying) return null
  const { title, mode, requests } = replaying
  return `recording "${title}" (${formatCount(requests.length, 'request')}), mode "${mode}"`
}

const maxListed = 12

function section(title: string, lines: readonly string[]): string[] {
  const shown = lines.slice(0, maxListed)
  const rest = lines.length - shown.length
  const all = rest > 0 ? [...shown, `… and ${rest} more`] : shown
  return all.map((line, index) => `  ${(index === 0 ? title : '').padEnd(10)}${line}`)
}

function describeAccess(key: StartReport['keys'][number], settings: PolicySettings): string {
  const { scopes, projects, organizations } = key
  const limits = [
    ...projects.map((id) => `project ${id}`),
    ...organizations.map((id) => `organization ${id}`),
  ]
  const only = limits.length > 0 ? `, only in ${limits.join(', ')}` : ''
  if (scopes === null) return `legacy key without scopes: full access${only}`
  if (scopes.length === 0) {
    return `no scopes${isUnscopedKey(key, settings) ? ': full access' : ''}${only}`
  }
  return `${scopes.includes('*') ? 'full access' : scopes.join(', ')}${only}`
}
